declare const __VERSION__: string | undefined;

/** The version of the package. The builds replace `__VERSION__`. It is empty where the sources run without a build. */
export const version = typeof __VERSION__ === 'undefined' ? '' : __VERSION__;
