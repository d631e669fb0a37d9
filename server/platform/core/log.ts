import { DrizzleQueryError } from 'drizzle-orm';
import { pino, type DestinationStream, type Logger } from 'pino';
import { redact, redactShort } from './redact.ts';

export type Log = Logger;

/** Pass chosen fields, never whole requests, rows or errors. */
export function createLogger(options: { level: string; readable?: boolean }, provided?: DestinationStream): Log {
  const destination =
    provided ?? (options.readable ? { write: (line: string) => void process.stdout.write(formatLogLine(line)) } : undefined);
  const settings = { level: options.level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime, serializers };
  return destination ? pino(settings, destination) : pino(settings);
}

/** For a terminal: '12:03:04 warn could not reach the replica {"err":…}'. */
export function formatLogLine(line: string): string {
  const { level, time, msg, pid: _, ...details } = JSON.parse(line) as Record<string, unknown>;
  const name = pino.levels.labels[Number(level)] ?? String(level);
  const more = Object.keys(details).length > 0 ? ` ${JSON.stringify(details)}` : '';
  return `${String(time).slice(11, 19)} ${name} ${String(msg)}${more}\n`;
}

const serializers = { err: (described: unknown) => described };

interface LoggedError {
  name: string;
  code?: string;
  message: string;
  at: string[];
}

/** Without Drizzle's wrapper, whose message and stack repeat the query's values. */
export function describeError(error: unknown): LoggedError {
  const root = rootCause(error);
  if (!(root instanceof Error)) return { name: typeof root, message: 'a non-error value was thrown', at: [] };
  const at = (root.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  const described: LoggedError = {
    name: root.name,
    message: redactShort(root.message, 300),
    at: at.slice(0, 8).map((line) => redact(line.trim())),
  };
  if ('code' in root && typeof root.code === 'string') described.code = root.code;
  return described;
}

export function rootCause(error: unknown): unknown {
  return error instanceof DrizzleQueryError ? (error.cause ?? error) : error;
}
