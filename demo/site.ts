/** Starts the demo site, and the service that it uses: the local one, or a real workspace. */
import { createServer as createNetServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer, type Plugin } from 'vite';
import { scriptTagFiles } from './script-tag-files.ts';
import { docs } from './docs.ts';
import { startHost, type Host } from './host/host.ts';
import { openMailbox, type Email, type Mailbox } from './mailbox.ts';
import { createService, modelsFromEnvironment, type Service, type ServiceOptions } from '@workspace-chat/service';

/** The configuration of the element on the demo's pages. */
export interface DemoConfig {
  baseUrl: string;
  publishableKey: string;
  agentId: string;
  /** The relay of team replies. Absent without the site's own backend. */
  repliesUrl?: string;
  /** The site's own backend that sends transcripts by e-mail. */
  transcriptUrl?: string;
  /** Whether ratings are stored. */
  rating?: boolean;
  /** Whether a customer can sign in. */
  signIn?: boolean;
}

export interface Demo {
  /** The URL of the demo's first page. */
  url: string;
  config: DemoConfig;
  /** The local service's secret key. Absent with a real workspace. */
  secretKey?: string;
  /** The e-mails that the shop has sent. Nothing is delivered. */
  emails: readonly Email[];
  close(): Promise<void>;
}

const root = fileURLToPath(new URL('.', import.meta.url));
/** The folders of the project that the development server may serve files from. */
const servedFolders = ['demo', 'src', 'contract', 'node_modules'];

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createNetServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/** Returns the port if it is free, or else 0, which selects any free port. */
const freePort = async (port: number): Promise<number> => ((await isFree(port)) ? port : 0);

/** Reads the configuration of a real workspace from the environment. Returns null for the local service. */
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

/**
 * Starts the site's own backend. For team replies it needs a secret key and an address that the workspace can reach, and
 * for sign-in the agent's identity secret. The local service provides all of them.
 */
const startBackend = async (
  { baseUrl, agentId }: DemoConfig,
  service: Service | null,
  options: DemoOptions,
): Promise<{ host: Host; mailbox: Mailbox; config: Partial<DemoConfig> } | null> => {
  const { WORKSPACE_SECRET_KEY: realKey, WORKSPACE_HOST_URL: publicUrl } = process.env;
  const secretKey = service?.demo.secretKey ?? realKey;
  if (!secretKey || (!service && !publicUrl)) {
    options.onProgress?.(
      'Team replies and sign-in are off. Set WORKSPACE_SECRET_KEY, and set WORKSPACE_HOST_URL to an https address of this server.',
    );
    return null;
  }
  const identitySecret = service
    ? await rotateSecret(new URL('../team', baseUrl).href, secretKey, agentId)
    : process.env['WORKSPACE_IDENTITY_SECRET'];
  if (!identitySecret) options.onProgress?.('Sign-in is off. Set WORKSPACE_IDENTITY_SECRET.');
  const { now } = options;
  const mailbox = await openMailbox(({ to }) => options.onProgress?.(`An e-mail to ${to.join(', ')} was received.`));
  const port = options.anyPort ? 0 : await freePort(8788);
  const host = await startHost({
    baseUrl,
    secretKey,
    agentId,
    identitySecret,
    publicUrl,
    port,
    teamUrl: service ? new URL('../team', baseUrl).href : undefined,
    // The mailbox is this process, so a visitor may name any address.
    mail: { smtpUrl: mailbox.url, from: 'Palm & Clay <shop@example.com>', site: 'Palm & Clay', allowsAnyAddress: true },
    historyFile: options.dataDir && join(options.dataDir, 'customer-conversations.json'),
    bindingsFile: options.dataDir && join(options.dataDir, 'relay-bindings.json'),
    // The demo's own server passes the requests on.
    trustedProxies: ['127.0.0.1'],
    ...(now && { now }),
  });
  const config = {
    repliesUrl: '/host/replies',
    transcriptUrl: '/host/transcript',
    rating: service !== null,
    signIn: identitySecret !== undefined,
  };
  return { host, mailbox, config };
};

/** Creates a new identity secret for the agent. The service shows a secret only once, when it is created. */
const rotateSecret = async (teamUrl: string, secretKey: string, agentId: string): Promise<string> => {
  const response = await fetch(`${teamUrl}/agents/${agentId}/identity-secret`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
    body: '{}',
  });
  if (!response.ok)
    throw new Error(
      `The local service returned no identity secret (${response.status}). Start again with: npm start -- --fresh`,
    );
  return ((await response.json()) as { secret: string }).secret;
};

/** Serves the configuration to the pages, as `config.json`. */
const demoConfig = (config: DemoConfig): Plugin => ({
  name: 'demo-config',
  configureServer(server) {
    server.middlewares.use('/config.json', (_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.setHeader('cache-control', 'no-store');
      response.end(JSON.stringify(config));
    });
  },
  // The page with the script tag has no code of its own that could read the configuration.
  transformIndexHtml: (html) =>
    html
      .replace('https://api.example.com/api/v2', config.baseUrl)
      .replace('key_example', config.publishableKey)
      .replace('agent_example', config.agentId),
});

export interface DemoOptions extends ServiceOptions {
  /** Uses any free ports instead of the usual ones. */
  anyPort?: boolean;
}

/** Starts the demo site, and the local service unless the environment names a real workspace. */
export const createDemo = async ({ anyPort = false, ...options }: DemoOptions = {}): Promise<Demo> => {
  const real = realWorkspace();
  const service = real
    ? null
    : await createService({
        databaseUrl: process.env['DATABASE_URL'],
        ...modelsFromEnvironment(process.env),
        allowLoopback: true,
        ...options,
      });
  const api = await service?.listen(anyPort ? 0 : await freePort(8787));
  const config = real ?? {
    baseUrl: api!.baseUrl,
    publishableKey: service!.demo.publishableKey,
    agentId: service!.demo.agentId,
  };
  options.onProgress?.('Starting the demo site…');
  const backend = await startBackend(config, service, { anyPort, ...options });
  const site = await createServer({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [demoConfig({ ...config, ...backend?.config }), scriptTagFiles(), docs()],
    // The packages of all pages are bundled first. One that Vite discovers later would reload the open pages.
    optimizeDeps: { entries: ['*.html', 'webview/*.html'] },
    server: {
      host: '127.0.0.1',
      port: anyPort ? 0 : await freePort(5173),
      ...(backend && { proxy: { '/host/': { target: backend.host.url, xfwd: true } } }),
      cors: false,
      // Only the sources of the pages. The data folder, with its secret key, is outside of these folders.
      fs: { allow: servedFolders.map((folder) => fileURLToPath(new URL(`../${folder}`, import.meta.url))) },
    },
  });
  await site.listen();
  return {
    url: site.resolvedUrls!.local[0]!.replace('localhost', '127.0.0.1'),
    config,
    ...(service && { secretKey: service.demo.secretKey }),
    emails: backend?.mailbox.received ?? [],
    async close() {
      await site.close();
      await backend?.host.close();
      await backend?.mailbox.close();
      await api?.close();
      await service?.close();
    },
  };
};
