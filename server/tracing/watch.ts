import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Attributes, type Span } from '@opentelemetry/api';
import { jobChannel } from '../platform/services/run-every.ts';
import type { Meter } from '../platform/core/meter.ts';
import { createTracerProvider, type ExportOptions } from './export.ts';
import { traceQueries } from './queries.ts';

/** The stream's polling serves everyone, but would belong to the first listener's trace. */
const untracedPaths = /^\/(healthz|readyz|metrics|api\/events)\b/;

/**
 * Records routes, statements without values, and hosts. OpenTelemetry's own instrumentations would also export full addresses.
 */
export function startTracing(exportOptions: ExportOptions) {
  const spanStorage = new AsyncLocalStorage<Span | null>();
  const provider = createTracerProvider(exportOptions);
  const tracer = provider.getTracer('admin-panel');
  const startSpan = (name: string, kind: SpanKind, parent: Span | null, attributes: Attributes = {}): Span =>
    tracer.startSpan(name, { kind, attributes }, parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT);

  const requests = new WeakMap<IncomingMessage, Span>();
  const onRequest = (message: unknown) => {
    const { request } = message as { request: IncomingMessage };
    const span = untracedPaths.test(request.url ?? '') ? null : startSpan(request.method ?? '', SpanKind.SERVER, null);
    if (span) requests.set(request, span);
    spanStorage.enterWith(span);
  };
  const onResponse = (message: unknown) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    const span = requests.get(request);
    span?.setAttribute('http.response.status_code', response.statusCode);
    if (span) endSpan(span, response.statusCode >= 500);
  };

  const clientSpans = new WeakMap<object, Span>();
  const onClientCall = (message: unknown) => {
    const { request } = message as { request: { origin: string; method: string } };
    const parent = spanStorage.getStore();
    if (parent) clientSpans.set(request, startSpan(`${request.method} ${new URL(request.origin).host}`, SpanKind.CLIENT, parent));
  };
  const createCallEnd = (isError: boolean) => (message: unknown) => {
    const { request, response } = message as { request: object; response?: { statusCode: number } };
    const span = clientSpans.get(request);
    if (!span) return;
    clientSpans.delete(request);
    if (response) span.setAttribute('http.response.status_code', response.statusCode);
    endSpan(span, isError);
  };

  const channels: readonly [string, (message: unknown) => void][] = [
    ['http.server.request.start', onRequest],
    ['http.server.response.finish', onResponse],
    ['undici:request:create', onClientCall],
    ['undici:request:headers', createCallEnd(false)],
    ['undici:request:error', createCallEnd(true)],
  ];
  for (const [name, listener] of channels) subscribe(name, listener);

  jobChannel.start.bindStore(spanStorage, ({ what }) => startSpan(what, SpanKind.INTERNAL, null));
  const finishJob = ({ error }: { error?: unknown }) => {
    const span = spanStorage.getStore();
    if (span) endSpan(span, error !== undefined);
  };
  jobChannel.asyncEnd.subscribe(finishJob as (message: unknown) => void);

  const stopQueries = traceQueries((name, attributes) => {
    const parent = spanStorage.getStore();
    if (!parent) return null;
    const span = startSpan(name, SpanKind.CLIENT, parent, attributes);
    return (hasFailed) => endSpan(span, hasFailed);
  });
  return {
    named: (meter: Meter | undefined): Meter => ({
      request(route, outcome, seconds, id) {
        spanStorage.getStore()?.updateName(route).setAttributes({ 'http.route': route, outcome, 'request.id': id });
        meter?.request(route, outcome, seconds, id);
      },
      tokenCall: (outcome) => meter?.tokenCall(outcome),
      mail: (outcome) => meter?.mail(outcome),
      unsignedAudit: (seconds) => meter?.unsignedAudit(seconds),
    }),
    stop: async () => {
      for (const [name, listener] of channels) unsubscribe(name, listener);
      jobChannel.start.unbindStore(spanStorage);
      jobChannel.asyncEnd.unsubscribe(finishJob as (message: unknown) => void);
      stopQueries();
      await provider.shutdown().catch(() => {}); // failures were already logged
    },
  };
}

function endSpan(span: Span, hasFailed: boolean): void {
  if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
