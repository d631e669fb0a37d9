import { resolve } from 'node:path';
import * as z from 'zod';
import { httpUrl, origin, text, whole, type About, type ValuesOf } from './values.ts';

const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

export const serverVariables = {
  NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
  PORT: whole(0, 65_535).default(4280),
  HOST: text.default('127.0.0.1'),
  /** Origin under which browsers reach the panel and the official website its pictures. */
  PUBLIC_URL: origin.optional(),
  /** The built panel; the one beside the server unless said. */
  PANEL_DIR: text.optional(),
  /** How many proxies stand in front: that many X-Forwarded-For entries from the right are believed. */
  TRUST_PROXY: whole(0, 10).default(0),
  LOG_LEVEL: z.enum(logLevels).optional(),
  /** Seconds between saying that it stops and stopping: longer than a balancer takes to ask `/readyz`. */
  DRAIN_SECONDS: whole(0, 300).optional(),
  BODY_LIMIT: whole(1024, 16_777_216).default(65_536),
  /** Calls one administrator may make in a minute; 0 = as many as they like. */
  READS_PER_MINUTE: whole(0, 1_000_000).optional(),
  WRITES_PER_MINUTE: whole(0, 1_000_000).optional(),
  /** Where Prometheus is answered; nowhere without a port. */
  METRICS_PORT: whole(1, 65_535).optional(),
  METRICS_HOST: text.default('127.0.0.1'),
  /** A collector of traces, OTLP over HTTP, and which part of the requests and jobs it is told of. */
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
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
  /** Bytes of a JSON body. */
  readonly bodyLimit: number;
  readonly readsPerMinute: number;
  readonly writesPerMinute: number;
  /** Where metrics are; null: nowhere. */
  readonly metrics: { readonly host: string; readonly port: number } | null;
  /** Where traces go; null: there are none. */
  readonly traces: { readonly endpoint: string; readonly ratio: number } | null;
}

/** The process, what it listens on, and what it says of itself. */
export function readServer(values: ValuesOf<typeof serverVariables>, { production }: About): ServerConfig {
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
