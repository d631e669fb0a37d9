import { randomBytes } from 'node:crypto';

/** As OTLP numbers them. */
export const kinds = { internal: 1, server: 2, client: 3 } as const;

/** Something that took a while. A trace is one root, a request or a job, and what it asked of others. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  name: string;
  readonly kind: (typeof kinds)[keyof typeof kinds];
  /** Nanoseconds since 1970. */
  readonly start: bigint;
  end: bigint;
  readonly attributes: Record<string, string | number>;
  failed: boolean;
}

const now = () => BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000)) * 1000n;

/** Begins one, in its parent's trace or in a trace of its own. */
export function begin(name: string, kind: keyof typeof kinds, parent: Span | null, attributes: Span['attributes'] = {}): Span {
  return {
    traceId: parent?.traceId ?? randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    parentSpanId: parent?.spanId ?? null,
    name,
    kind: kinds[kind],
    start: now(),
    end: 0n,
    attributes,
    failed: false,
  };
}

/** Ends it, as failed where that is said. */
export function finish(span: Span, failed = false): Span {
  span.end = now();
  span.failed ||= failed;
  return span;
}
