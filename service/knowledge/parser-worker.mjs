/** Starts the parser's worker. A worker of Node.js needs the TypeScript loader to be registered again. */
import { register } from 'tsx/esm/api';

register();
await import('./parser-worker.ts');
