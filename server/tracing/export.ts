import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TracerProvider,
  TraceIdRatioBasedSampler,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import { describeError, type Log } from '../platform/core/log.ts';

export interface ExportOptions {
  /** OTLP over HTTP. */
  readonly endpoint: string;
  /** Sampled share, 0 to 1. */
  readonly ratio: number;
  readonly log: Log;
}

/** Not global, so that no other library exports through it. Drops refused spans. */
export function createTracerProvider({ endpoint, ratio, log }: ExportOptions): TracerProvider {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces`, timeoutMillis: 2_500 });
  return new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'admin-panel', 'process.pid': process.pid }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanLimits: { attributeValueLengthLimit: 500 },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: createLoggingExporter(exporter, log),
        scheduledDelayMillis: 2_000,
        maxQueueSize: 4_096,
      }),
    ],
  });
}

/** Logs once per outage. */
function createLoggingExporter(exporter: SpanExporter, log: Log): SpanExporter {
  let isFailing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const hasFailed = result.code !== exportSuccess;
        if (hasFailed && !isFailing) log.warn({ err: describeError(result.error) }, 'could not export traces');
        isFailing = hasFailed;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}

/** ExportResultCode.SUCCESS of @opentelemetry/core. */
const exportSuccess = 0;
