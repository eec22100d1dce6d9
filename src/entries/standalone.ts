/** `standalone.js`: everything in one classic script, where modules or further files cannot be loaded. */
import { embed } from '../products/embed/embedded-chat.ts';
import * as scriptTag from './cdn.ts';

const script = document.currentScript as HTMLScriptElement | null;

embed(script?.dataset ?? {}, { load: () => Promise.resolve(scriptTag), isOptional: true });
