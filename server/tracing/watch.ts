import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Attributes, type Span } from '@opentelemetry/api';
import { jobChannel } from '../platform/services/run-every.ts';
import type { Meter } from '../platform/core/meter.ts';
import { providerTo, type ExportParts } from './export.ts';
import { traceQueries } from './queries.ts';

/** The stream's polling serves everyone, but would belong to the first listener's trace. */
const untracedPaths = /^\/(healthz|readyz|metrics|api\/events)\b/;

/**
 * Records routes, statements without values, and hosts. OpenTelemetry's own instrumentations would also export full addresses.
 */
export function startTracing(parts: ExportParts) {
  const store = new AsyncLocalStorage<Span | null>();
  const provider = providerTo(parts);
  const tracer = provider.getTracer('admin-panel');
  const begin = (name: string, kind: SpanKind, parent: Span | null, attributes: Attributes = {}): Span =>
    tracer.startSpan(name, { kind, attributes }, parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT);

  const requests = new WeakMap<IncomingMessage, Span>();
  const onRequest = (message: unknown) => {
    const { request } = message as { request: IncomingMessage };
    const span = untracedPaths.test(request.url ?? '') ? null : begin(request.method ?? '', SpanKind.SERVER, null);
    if (span) requests.set(request, span);
    store.enterWith(span);
  };
  const onResponse = (message: unknown) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    const span = requests.get(request);
    span?.setAttribute('http.response.status_code', response.statusCode);
    if (span) end(span, response.statusCode >= 500);
  };

  const calls = new WeakMap<object, Span>();
  const onCall = (message: unknown) => {
    const { request } = message as { request: { origin: string; method: string } };
    const parent = store.getStore();
    if (parent) calls.set(request, begin(`${request.method} ${new URL(request.origin).host}`, SpanKind.CLIENT, parent));
  };
  const endCall = (isError: boolean) => (message: unknown) => {
    const { request, response } = message as { request: object; response?: { statusCode: number } };
    const span = calls.get(request);
    if (!span) return;
    calls.delete(request);
    if (response) span.setAttribute('http.response.status_code', response.statusCode);
    end(span, isError);
  };

  const channels: readonly [string, (message: unknown) => void][] = [
    ['http.server.request.start', onRequest],
    ['http.server.response.finish', onResponse],
    ['undici:request:create', onCall],
    ['undici:request:headers', endCall(false)],
    ['undici:request:error', endCall(true)],
  ];
  for (const [name, hear] of channels) subscribe(name, hear);

  jobChannel.start.bindStore(store, ({ what }) => begin(what, SpanKind.INTERNAL, null));
  const endJob = ({ error }: { error?: unknown }) => {
    const span = store.getStore();
    if (span) end(span, error !== undefined);
  };
  jobChannel.asyncEnd.subscribe(endJob as (message: unknown) => void);

  const stopQueries = traceQueries((name, attributes) => {
    const parent = store.getStore();
    if (!parent) return null;
    const span = begin(name, SpanKind.CLIENT, parent, attributes);
    return (failed) => end(span, failed);
  });
  return {
    named: (meter: Meter | undefined): Meter => ({
      request(route, outcome, seconds, id) {
        store.getStore()?.updateName(route).setAttributes({ 'http.route': route, outcome, 'request.id': id });
        meter?.request(route, outcome, seconds, id);
      },
      mail: (outcome) => meter?.mail(outcome),
      unsignedAudit: (seconds) => meter?.unsignedAudit(seconds),
    }),
    stop: async () => {
      for (const [name, hear] of channels) unsubscribe(name, hear);
      jobChannel.start.unbindStore(store);
      jobChannel.asyncEnd.unsubscribe(endJob as (message: unknown) => void);
      stopQueries();
      await provider.shutdown().catch(() => {}); // failures were already logged
    },
  };
}

function end(span: Span, failed: boolean): void {
  if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
