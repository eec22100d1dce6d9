/** Traces for OpenTelemetry. Loaded only when a collector is configured. */
import { context, propagation, SpanKind, SpanStatusCode, trace, type TextMapGetter } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { Observation, Observer, OperationLabels, OperationName } from '../core/observer.ts';

export interface Tracing {
  observer: Observer;
  /** Sends the spans that wait. */
  close(): Promise<void>;
}

const kinds: Record<OperationName, SpanKind> = {
  request: SpanKind.SERVER,
  turn: SpanKind.INTERNAL,
  delivery: SpanKind.CLIENT,
  job: SpanKind.CONSUMER,
};

const headerGetter: TextMapGetter<Headers> = {
  keys: (headers) => [...headers.keys()],
  get: (headers, name) => headers.get(name) ?? undefined,
};

/** The exporter and the resource read the standard variables, `OTEL_EXPORTER_OTLP_ENDPOINT` and `OTEL_SERVICE_NAME`. */
export const startTracing = (): Tracing => {
  const name = resourceFromAttributes({ 'service.name': 'workspace-service' });
  const provider = new NodeTracerProvider({
    resource: defaultResource()
      .merge(name)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  provider.register();
  return { observer: createObserver(), close: () => provider.shutdown() };
};

const createObserver = (): Observer => {
  const tracer = trace.getTracer('workspace-service');
  return {
    start<Name extends OperationName>(operation: Name, headers?: Headers): Observation<Name> {
      const parent = headers ? propagation.extract(context.active(), headers, headerGetter) : context.active();
      const span = tracer.startSpan(operation, { kind: kinds[operation] }, parent);
      return {
        run: (work) => context.with(trace.setSpan(parent, span), work),
        markFirstText: () => void span.addEvent('first_text'),
        markStage: (stage, seconds) => void span.setAttribute(`stage.${stage}_seconds`, seconds),
        end(labels) {
          span.updateName(spanName(operation, labels));
          span.setAttributes(attributesOf(labels));
          if (isFailure(labels)) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
  };
};

type Labels = OperationLabels[OperationName];

const spanName = (operation: OperationName, labels: Labels): string => {
  if ('route' in labels) return `${labels.method} ${labels.route}`;
  return 'kind' in labels ? `${operation} ${labels.kind}` : operation;
};

/** Requests have the names of the semantic conventions, the other operations those of the metrics. */
const attributesOf = (labels: Labels): Record<string, string | number | boolean> => {
  if (!('route' in labels)) return { ...labels };
  const { method, route, status } = labels;
  return { 'http.request.method': method, 'http.route': route, 'http.response.status_code': status };
};

const isFailure = (labels: Labels): boolean => {
  if ('status' in labels) return labels.status >= 500;
  if ('outcome' in labels) return labels.outcome === 'error';
  return !['succeeded', 'done', 'interrupted'].includes(labels.result);
};
