import { DrizzleQueryError } from 'drizzle-orm';
import { pino, type DestinationStream, type Logger } from 'pino';
import { redact, redactShort } from './redact.ts';

export type Log = Logger;

/** Pass chosen fields, never whole requests, rows or errors. */
export function createLogger(options: { level: string; readable?: boolean }, destinationOverride?: DestinationStream): Log {
  const destination =
    destinationOverride ??
    (options.readable ? { write: (line: string) => void process.stdout.write(formatLogLine(line)) } : undefined);
  const loggerOptions = {
    level: options.level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: errorSerializers,
  };
  return destination ? pino(loggerOptions, destination) : pino(loggerOptions);
}

/** For a terminal: '12:03:04 warn could not reach the replica {"err":…}'. */
export function formatLogLine(line: string): string {
  const { level, time, msg, pid: _, ...details } = JSON.parse(line) as Record<string, unknown>;
  const name = pino.levels.labels[Number(level)] ?? String(level);
  const detailsText = Object.keys(details).length > 0 ? ` ${JSON.stringify(details)}` : '';
  return `${String(time).slice(11, 19)} ${name} ${String(msg)}${detailsText}\n`;
}

const errorSerializers = { err: (loggedError: unknown) => loggedError };

interface LoggedError {
  name: string;
  code?: string;
  message: string;
  at: string[];
}

/** Without Drizzle's wrapper, whose message and stack repeat the query's values. */
export function describeError(error: unknown): LoggedError {
  const cause = findRootCause(error);
  if (!(cause instanceof Error)) return { name: typeof cause, message: 'a non-error value was thrown', at: [] };
  const stackLines = (cause.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  const loggedError: LoggedError = {
    name: cause.name,
    message: redactShort(cause.message, 300),
    at: stackLines.slice(0, 8).map((line) => redact(line.trim())),
  };
  if ('code' in cause && typeof cause.code === 'string') loggedError.code = cause.code;
  return loggedError;
}

export function findRootCause(error: unknown): unknown {
  return error instanceof DrizzleQueryError ? (error.cause ?? error) : error;
}
