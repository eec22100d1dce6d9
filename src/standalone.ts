/** `standalone.js`: everything in one classic script, where modules or further files cannot be loaded. */
import { embed } from './embed/embed.ts';
import * as scriptTag from './script-tag.ts';

const script = document.currentScript as HTMLScriptElement | null;

embed(script?.dataset ?? {}, { load: () => Promise.resolve(scriptTag), isOptional: true });
