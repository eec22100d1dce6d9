/** `standalone.js`: everything in one classic script, for pages that cannot load modules or further files. */
import { embed } from '../products/embed/embedded-chat.ts';
import { doctor } from './cdn.ts';

const script = document.currentScript as HTMLScriptElement | null;

embed(script?.dataset ?? {}, { load: () => Promise.resolve({ doctor }), isOptional: true });
