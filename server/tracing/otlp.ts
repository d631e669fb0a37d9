import { describeError, type Log } from '../platform/core/log.ts';
import type { Span } from './spans.ts';

const everyMs = 2_000;
const timeoutMs = 5_000;
const batch = 512;
/** What waits beyond that is dropped: a collector that is gone must not cost memory. */
const most = 4_096;

const attribute = ([key, value]: [string, string | number]) => ({
  key,
  value: typeof value === 'string' ? { stringValue: value } : { doubleValue: value },
});

/** Spans as OTLP has them in JSON (opentelemetry-proto, collector/trace/v1). */
export function otlpOf(spans: readonly Span[]) {
  return {
    resourceSpans: [
      {
        resource: { attributes: [attribute(['service.name', 'admin-panel']), attribute(['process.pid', process.pid])] },
        scopeSpans: [
          {
            scope: { name: 'admin-panel' },
            spans: spans.map(({ traceId, spanId, parentSpanId, name, kind, start, end, attributes, failed }) => ({
              traceId,
              spanId,
              ...(parentSpanId !== null && { parentSpanId }),
              name,
              kind,
              startTimeUnixNano: String(start),
              endTimeUnixNano: String(end),
              attributes: Object.entries(attributes).map(attribute),
              status: failed ? { code: 2 } : {},
            })),
          },
        ],
      },
    ],
  };
}

/** Sends spans to a collector now and again, best effort: what it does not take is gone. */
export function startExport({ endpoint, log }: { endpoint: string; log: Log }) {
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`;
  let waiting: Span[] = [];
  let isFailing = false;
  let sending: Promise<void> = Promise.resolve();
  const send = async () => {
    while (waiting.length > 0) {
      const body = JSON.stringify(otlpOf(waiting.splice(0, batch)));
      try {
        const headers = { 'content-type': 'application/json' };
        const answer = await fetch(url, {
          method: 'POST',
          headers,
          body,
          redirect: 'error',
          signal: AbortSignal.timeout(timeoutMs),
        });
        if (!answer.ok) throw new Error(`the collector answered ${answer.status}`);
        isFailing = false;
      } catch (error) {
        if (!isFailing) log.warn({ err: describeError(error) }, 'traces are not taken');
        isFailing = true;
        waiting = [];
      }
    }
  };
  const flush = () => (sending = sending.then(send));
  const timer = setInterval(() => void flush(), everyMs);
  timer.unref();
  return {
    add(span: Span): void {
      if (waiting.length < most) waiting.push(span);
    },
    async stop(): Promise<void> {
      clearInterval(timer);
      await flush();
    },
  };
}
