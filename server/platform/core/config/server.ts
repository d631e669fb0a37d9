import { resolve } from 'node:path';
import * as z from 'zod';
import { httpUrlText, originUrl, nonEmptyText, integerText, type ConfigContext, type ValuesOf } from './values.ts';

const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

export const serverVariables = {
  NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
  PORT: integerText(0, 65_535).default(4280),
  HOST: nonEmptyText.default('127.0.0.1'),
  PUBLIC_URL: originUrl.optional(),
  PANEL_DIR: nonEmptyText.optional(),
  /** Trusts this many X-Forwarded-For entries from the right. */
  TRUST_PROXY: integerText(0, 10).default(0),
  LOG_LEVEL: z.enum(logLevels).optional(),
  /** Must exceed the balancer's `/readyz` interval. */
  DRAIN_SECONDS: integerText(0, 300).optional(),
  BODY_LIMIT: integerText(1024, 16_777_216).default(65_536),
  /** Per administrator. 0 = no limit. */
  READS_PER_MINUTE: integerText(0, 1_000_000).optional(),
  WRITES_PER_MINUTE: integerText(0, 1_000_000).optional(),
  METRICS_PORT: integerText(1, 65_535).optional(),
  METRICS_HOST: nonEmptyText.default('127.0.0.1'),
  /** OTLP over HTTP. */
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrlText.optional(),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'must be a number between 0 and 1')
    .transform(Number)
    .default(1),
};

export interface ServerConfig {
  readonly port: number;
  readonly host: string;
  readonly panelDir: string | null;
  readonly trustProxy: number;
  readonly logLevel: (typeof logLevels)[number];
  readonly drainMs: number;
  readonly bodyLimit: number;
  readonly readsPerMinute: number;
  readonly writesPerMinute: number;
  readonly metrics: { readonly host: string; readonly port: number } | null;
  readonly traces: { readonly endpoint: string; readonly ratio: number } | null;
}

export function readServer(values: ValuesOf<typeof serverVariables>, { production }: ConfigContext): ServerConfig {
  return {
    port: values.PORT,
    host: values.HOST,
    panelDir: values.PANEL_DIR ? resolve(values.PANEL_DIR) : null,
    trustProxy: values.TRUST_PROXY,
    logLevel: values.LOG_LEVEL ?? (production ? 'info' : 'warn'),
    drainMs: (values.DRAIN_SECONDS ?? (production ? 5 : 0)) * 1000,
    bodyLimit: values.BODY_LIMIT,
    readsPerMinute: values.READS_PER_MINUTE ?? (production ? 1200 : 0),
    writesPerMinute: values.WRITES_PER_MINUTE ?? (production ? 300 : 0),
    metrics: values.METRICS_PORT === undefined ? null : { host: values.METRICS_HOST, port: values.METRICS_PORT },
    traces: values.OTEL_EXPORTER_OTLP_ENDPOINT
      ? { endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT, ratio: values.OTEL_TRACES_SAMPLER_ARG }
      : null,
  };
}
