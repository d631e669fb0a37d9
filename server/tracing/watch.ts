import { AsyncLocalStorage } from 'node:async_hooks';
import { randomInt } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import pg from 'pg';
import { jobs } from '../platform/core/every.ts';
import type { Log } from '../platform/core/log.ts';
import type { Meter } from '../platform/core/meter.ts';
import { startExport } from './otlp.ts';
import { begin, finish, type Span } from './spans.ts';

interface TracingParts {
  /** A collector's OTLP over HTTP. */
  readonly endpoint: string;
  /** Of requests and jobs, which part: 0 to 1. */
  readonly ratio: number;
  readonly log: Log;
}

const million = 1_000_000;
/** The calls of people who watch, not of people who work. */
const unseen = /^\/(healthz|readyz|metrics)\b/;

/**
 * Traces requests, jobs, and what they ask of the database and of others (the chain's node, Bitcoin, feeds), by Node's own
 * channels. Says no values, no paths of others and no addresses of people: routes, statements without their values, hosts.
 */
export function startTracing({ endpoint, ratio, log }: TracingParts) {
  const store = new AsyncLocalStorage<Span | null>();
  const { add, stop } = startExport({ endpoint, log });
  const isChosen = () => randomInt(million) < ratio * million;

  const requests = new WeakMap<IncomingMessage, Span>();
  const onRequest = (message: unknown) => {
    const { request } = message as { request: IncomingMessage };
    const span = isChosen() && !unseen.test(request.url ?? '') ? begin(request.method ?? '', 'server', null) : null;
    if (span) requests.set(request, span);
    store.enterWith(span);
  };
  const onResponse = (message: unknown) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    const span = requests.get(request);
    if (!span) return;
    span.attributes['http.response.status_code'] = response.statusCode;
    add(finish(span, response.statusCode >= 500));
  };

  const calls = new WeakMap<object, Span>();
  const onCall = (message: unknown) => {
    const { request } = message as { request: { origin: string; method: string } };
    const parent = store.getStore();
    if (parent) calls.set(request, begin(`${request.method} ${new URL(request.origin).host}`, 'client', parent));
  };
  const endCall = (isError: boolean) => (message: unknown) => {
    const { request, response } = message as { request: object; response?: { statusCode: number } };
    const span = calls.get(request);
    if (!span) return;
    calls.delete(request);
    if (response) span.attributes['http.response.status_code'] = response.statusCode;
    add(finish(span, isError));
  };

  const channels: readonly [string, (message: unknown) => void][] = [
    ['http.server.request.start', onRequest],
    ['http.server.response.finish', onResponse],
    ['undici:request:create', onCall],
    ['undici:request:headers', endCall(false)],
    ['undici:request:error', endCall(true)],
  ];
  for (const [name, hear] of channels) subscribe(name, hear);

  jobs.start.bindStore(store, ({ what }) => (isChosen() ? begin(what, 'internal', null) : null));
  const endJob = ({ error }: { error?: unknown }) => {
    const span = store.getStore();
    if (span) add(finish(span, error !== undefined));
  };
  jobs.asyncEnd.subscribe(endJob as (message: unknown) => void);

  const stopQueries = traceQueries(() => store.getStore() ?? null, add);
  return {
    /** Tells a request's span which route it was, by way of what is counted. */
    named: (meter: Meter | undefined): Meter => ({
      request(route, outcome, seconds, id) {
        const span = store.getStore();
        if (span) {
          span.name = route;
          Object.assign(span.attributes, { 'http.route': route, outcome, 'request.id': id });
        }
        meter?.request(route, outcome, seconds, id);
      },
      mail: (outcome) => meter?.mail(outcome),
    }),
    stop: async () => {
      for (const [name, hear] of channels) unsubscribe(name, hear);
      jobs.start.unbindStore(store);
      jobs.asyncEnd.unsubscribe(endJob as (message: unknown) => void);
      stopQueries();
      await stop();
    },
  };
}

type Query = (this: unknown, ...given: unknown[]) => unknown;

// pg has no channel of its own: its one method is wrapped for as long as somebody looks.
function traceQueries(parentOf: () => Span | null, add: (span: Span) => void): () => void {
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  prototype.query = function (...given) {
    const parent = parentOf();
    const text = textOf(given[0]);
    if (!parent || text === null) return query.apply(this, given);
    const span = begin(text.split(/\s/, 1)[0]?.toUpperCase() ?? 'QUERY', 'client', parent, {
      'db.system.name': 'postgresql',
      'db.query.text': text.slice(0, 500),
    });
    const last = given.at(-1);
    if (typeof last === 'function')
      return query.apply(this, [
        ...given.slice(0, -1),
        (error: unknown, ...found: unknown[]) => {
          add(finish(span, Boolean(error)));
          (last as Query)(error, ...found);
        },
      ]);
    const answer = query.apply(this, given);
    if (answer instanceof Promise)
      answer.then(
        () => add(finish(span)),
        () => add(finish(span, true)),
      );
    return answer;
  };
  return () => void (prototype.query = query);
}

/** The statement, its values left out; null for what is streamed. */
function textOf(asked: unknown): string | null {
  if (typeof asked === 'string') return asked;
  if (typeof asked !== 'object' || asked === null || 'submit' in asked) return null;
  return 'text' in asked && typeof asked.text === 'string' ? asked.text : null;
}
