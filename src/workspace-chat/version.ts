declare const __VERSION__: string | undefined;

/** The version of the package. The builds write it in place of `__VERSION__`; the sources are of none. */
export const version = typeof __VERSION__ === 'undefined' ? '' : __VERSION__;
