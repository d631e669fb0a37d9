import pg from 'pg';
import { getDatabaseErrorCode } from '../core/error-code.ts';
import { findRootCause } from '../core/log.ts';
import { StartError } from '../core/start-error.ts';
import { NoPrimaryError } from './primary.ts';
import { parseDatabaseHosts } from '../core/database-url.ts';

const unreachablePattern = /^(E(CONNREFUSED|CONNRESET|TIMEDOUT|NOTFOUND|HOSTUNREACH|HOSTDOWN|NETUNREACH|PIPE|AI_AGAIN))$/;
const certificatePattern = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/;

/** One line without the password, or null. `variable` holds `url`. */
export function describeConnectionProblem(error: unknown, url: string, variable = 'DATABASE_URL'): StartError | null {
  const code = getDatabaseErrorCode(error);
  const cause = findRootCause(error);
  const { names, urls } = parseDatabaseHosts(url);
  const hostNames = names.join(', ');
  if (cause instanceof NoPrimaryError)
    return new StartError(`No database host at ${hostNames} accepts writes. Promote one or change ${variable}.`);
  if (code === '28P01' || code === '28000')
    return new StartError(`The database at ${hostNames} rejected the user or password. Check ${variable}.`);
  if (code === '3D000') {
    const { database } = new pg.Client({ connectionString: urls[0] });
    return new StartError(`The database "${database}" doesn’t exist at ${hostNames}. Create it or change ${variable}.`);
  }
  if (code === '08P01' && /startup parameter/.test(String(cause)))
    return new StartError(describePoolerProblem(`(${hostNames})`, variable));
  if (code === '08P01')
    return new StartError(`The connection pooler at ${hostNames} rejected the connection. Check its configuration.`);
  if (code === '42501')
    return new StartError(
      `The database user in ${variable} isn’t allowed to change the tables. Run migrate once, with the URL of the tables’ owner in ${variable}.`,
    );
  if (code === '57P03' || code === '53300')
    return new StartError(`The database at ${hostNames} accepts no connections right now (${code}). Try again in a moment.`);
  if (code !== null && certificatePattern.test(code))
    return new StartError(
      `Can’t verify the TLS certificate of the database at ${hostNames} (${code}). Check sslmode and sslrootcert in ${variable}.`,
    );
  if (cause instanceof Error && cause.message === 'The server does not support SSL connections')
    return new StartError(
      `The database at ${hostNames} doesn’t support TLS. Turn TLS on there or change sslmode in ${variable}.`,
    );
  const isTimeout =
    code === null && cause instanceof Error && /^(timeout expired|Connection terminated due to)/.test(cause.message);
  if (isTimeout || isConnectError(cause) || (code !== null && unreachablePattern.test(code)))
    return new StartError(
      `Can’t connect to the database at ${hostNames} (${code ?? 'timeout'}). Start it or change ${variable}.`,
    );
  return null;
}

export const describePoolerProblem = (hostText: string, variable: string): string =>
  variable === 'STATISTICS_DATABASE_URL'
    ? `${variable} points to a connection pooler ${hostText}. Set it to PostgreSQL itself.`
    : `DATABASE_URL points to a connection pooler ${hostText}. Set DATABASE_DIRECT_URL to PostgreSQL itself.`;

const isConnectError = (cause: unknown): boolean => cause instanceof Error && 'syscall' in cause && cause.syscall === 'connect';
