/** The demo site beside the service that it talks to: the local one, or a real workspace. */
import { createServer as createNetServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createServer, type Plugin } from 'vite';
import { createService, type ServiceOptions } from './service/service.ts';

/** What the demo's pages need to set the element up. */
export interface DemoConfig {
  baseUrl: string;
  publishableKey: string;
  agentId: string;
}

export interface Demo {
  /** The demo's first page. */
  url: string;
  config: DemoConfig;
  /** The local service's secret key; absent with a real workspace. */
  secretKey?: string;
  close(): Promise<void>;
}

const root = fileURLToPath(new URL('.', import.meta.url));

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createNetServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/** The port itself when nobody uses it; otherwise 0, for any that is free. */
const freePort = async (port: number): Promise<number> => ((await isFree(port)) ? port : 0);

/** A workspace of the real service, named by the environment; null for the local one. */
const realWorkspace = (): DemoConfig | null => {
  const {
    WORKSPACE_BASE_URL: baseUrl,
    WORKSPACE_PUBLISHABLE_KEY: publishableKey,
    WORKSPACE_AGENT_ID: agentId,
  } = process.env;
  if (!baseUrl && !publishableKey && !agentId) return null;
  if (baseUrl && publishableKey && agentId) return { baseUrl, publishableKey, agentId };
  throw new Error('Set all three: WORKSPACE_BASE_URL, WORKSPACE_PUBLISHABLE_KEY and WORKSPACE_AGENT_ID.');
};

/** Tells the pages which workspace they talk to. */
const demoConfig = (config: DemoConfig): Plugin => ({
  name: 'demo-config',
  configureServer(server) {
    server.middlewares.use('/config.json', (_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.setHeader('cache-control', 'no-store');
      response.end(JSON.stringify(config));
    });
  },
});

export interface DemoOptions extends ServiceOptions {
  /** Any free ones, whatever the usual ones are. */
  anyPort?: boolean;
}

/** Starts the demo site, and the local service unless the environment names a real workspace. */
export const createDemo = async ({ anyPort = false, ...options }: DemoOptions = {}): Promise<Demo> => {
  const real = realWorkspace();
  const service = real ? null : await createService({ databaseUrl: process.env['DATABASE_URL'], ...options });
  const api = await service?.listen(anyPort ? 0 : await freePort(8787));
  const config = real ?? {
    baseUrl: api!.baseUrl,
    publishableKey: service!.demo.publishableKey,
    agentId: service!.demo.agentId,
  };
  options.onProgress?.('Starting the demo site…');
  const site = await createServer({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [demoConfig(config)],
    server: {
      host: '127.0.0.1',
      port: anyPort ? 0 : await freePort(5173),
      fs: { allow: [fileURLToPath(new URL('..', import.meta.url))] },
    },
  });
  await site.listen();
  return {
    url: site.resolvedUrls!.local[0]!.replace('localhost', '127.0.0.1'),
    config,
    ...(service && { secretKey: service.demo.secretKey }),
    async close() {
      await site.close();
      await api?.close();
      await service?.close();
    },
  };
};
