/** A Content Security Policy that allows scripts with the nonce `n`, and the service, with Trusted Types and without inline styles. */
export const strictPolicy = (serviceUrl: string): string =>
  [
    "default-src 'none'",
    "script-src 'nonce-n'",
    `connect-src ${serviceUrl}`,
    "style-src 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types lit-html 'allow-duplicates'",
  ].join('; ');
