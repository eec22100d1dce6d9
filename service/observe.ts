/** Starts what the configuration observes the service with: metrics, traces, both or neither. */
import { combineObservers, noObserver, type Observer } from './core/observer.ts';
import type { DatabaseContext } from './db/database.ts';

interface ObservationOptions {
  metricsPort: number | undefined;
  metricsHost: string;
  /** The collector of traces. */
  traceUrl: string | undefined;
}

export interface ObservedService {
  observer: Observer;
  /** Serves the metrics of a service that has started. Returns their URL, or undefined when they are off. */
  serve(context: DatabaseContext, isDraining: () => boolean): Promise<string | undefined>;
  close(): Promise<void>;
}

/** The libraries are loaded only when they are used. */
export const observe = async ({ metricsPort, metricsHost, traceUrl }: ObservationOptions): Promise<ObservedService> => {
  const metrics = metricsPort === undefined ? undefined : (await import('./telemetry/metrics.ts')).createMetrics();
  const tracing = traceUrl === undefined ? undefined : (await import('./telemetry/tracing.ts')).startTracing();
  const observers = [metrics?.observer, tracing?.observer].filter((observer) => observer !== undefined);
  const closers: (() => Promise<void>)[] = tracing ? [tracing.close] : [];

  return {
    observer: observers.length === 0 ? noObserver : combineObservers(observers),
    async serve(context, isDraining) {
      if (!metrics || metricsPort === undefined) return undefined;
      metrics.watch(context, isDraining);
      const { serveMetrics } = await import('./telemetry/metrics-server.ts');
      const server = await serveMetrics(metrics, metricsPort, metricsHost);
      closers.push(server.close);
      return server.url;
    },
    async close() {
      await Promise.allSettled(closers.map((close) => close()));
    },
  };
};
