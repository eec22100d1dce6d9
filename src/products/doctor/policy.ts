/** Detects what the page's Content-Security-Policy has blocked, before and during a diagnosis. */

export interface Violation {
  /** The directive that blocks it, such as `connect-src`. */
  directive: string;
  blocked: string;
  sourceFile: string;
  sample: string;
}

/** Milliseconds to wait for the violation event of a failed request. */
const grace = 100;

const isEnforced = (disposition: unknown) => disposition !== 'report';

/** Chromium buffers earlier violation reports. Other browsers report only new violations. */
const observeReports = (found: Violation[]): ReportingObserver | null => {
  if (!('ReportingObserver' in globalThis)) return null;
  const observer = new ReportingObserver(
    (reports) => {
      for (const { body } of reports) {
        const { effectiveDirective, blockedURL, sourceFile, sample, disposition } = body as unknown as Record<
          string,
          string | null
        >;
        if (!effectiveDirective || !isEnforced(disposition)) continue;
        found.push({
          directive: effectiveDirective,
          blocked: blockedURL ?? '',
          sourceFile: sourceFile ?? '',
          sample: sample ?? '',
        });
      }
    },
    { types: ['csp-violation'], buffered: true },
  );
  observer.observe();
  return observer;
};

/** Listens for violations. Returns a function that stops listening and returns them. */
export const watchPolicy = (): (() => Promise<Violation[]>) => {
  const found: Violation[] = [];
  const observer = observeReports(found);
  const listen = (event: SecurityPolicyViolationEvent) => {
    if (!isEnforced(event.disposition)) return;
    const { effectiveDirective, blockedURI, sourceFile, sample } = event;
    found.push({ directive: effectiveDirective, blocked: blockedURI, sourceFile, sample });
  };
  document.addEventListener('securitypolicyviolation', listen);
  return async () => {
    await new Promise((resolve) => {
      setTimeout(resolve, grace);
    });
    document.removeEventListener('securitypolicyviolation', listen);
    observer?.disconnect();
    return found;
  };
};

/** Returns the source that the policy would have to allow, or null for a violation of the page's own code. */
export const missingSource = (
  violation: Violation,
  serviceOrigin: string,
): { directive: string; source: string } | null => {
  const { directive, blocked, sourceFile, sample } = violation;
  if (directive.includes('trusted-types')) {
    return /lit-html/.test(sample) || /workspace-chat|standalone/.test(sourceFile)
      ? { directive: 'trusted-types', source: "lit-html 'allow-duplicates'" }
      : null;
  }
  const isOurs = blocked.startsWith(serviceOrigin) || /workspace-chat/.test(blocked);
  if (!isOurs || !/^\w+:\/\//.test(blocked)) return null;
  return { directive: directive.replace(/-(elem|attr)$/, ''), source: new URL(blocked).origin };
};
