/** Starts the service as a separate process. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface ServiceProcess {
  baseUrl: string;
  agentId: string;
  publishableKey: string;
  secretKey: string;
  pid: number;
  /** Closes the pipes from the standard output and the standard error of the process. */
  closeOutput(): void;
  /** Resolves when the process has exited. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

const main = fileURLToPath(new URL('../../../service/main.ts', import.meta.url));

/** Resolves when the service listens. A new database has the workspace of the demo. */
export const startService = (args: string[], environment: Record<string, string> = {}): Promise<ServiceProcess> => {
  const { DATABASE_URL: _, ...inherited } = process.env;
  const child = spawn(process.execPath, ['--import', 'tsx', main, '--port', '0', ...args], {
    env: { WORKSPACE_SEED: 'demo', ...inherited, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => {
      process.off('exit', kill);
      resolve();
    });
  });
  let said = '';
  let complaints = '';
  child.stderr.on('data', (piece) => {
    complaints = (complaints + String(piece)).slice(-4000);
  });
  const end = (signal: 'SIGTERM' | 'SIGKILL') => {
    child.kill(signal);
    return gone;
  };
  const closeOutput = () => {
    child.stdout.destroy();
    child.stderr.destroy();
  };
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (piece) => {
      said += String(piece);
      const [baseUrl, agentId, publishableKey, secretKey] = ['Base URL', 'Agent', 'Publishable key', 'Secret key'].map(
        (label) => new RegExp(`^${label} +(\\S+)\n`, 'm').exec(said)?.[1],
      );
      if (baseUrl && agentId && publishableKey && secretKey) {
        resolve({ baseUrl, agentId, publishableKey, secretKey, pid: child.pid!, closeOutput, end });
      }
    });
    void gone.then(() => reject(new Error(`The service ended before it listened: ${complaints}`)));
  });
};
