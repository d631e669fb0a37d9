import pg from 'pg';
import { codeOf } from '../core/error-code.ts';
import { rootCause } from '../core/log.ts';
import { StartError } from '../core/start-error.ts';
import { NoPrimary } from './primary.ts';
import { databaseHosts } from '../core/database-url.ts';

const unreachable = /^(E(CONNREFUSED|CONNRESET|TIMEDOUT|NOTFOUND|HOSTUNREACH|HOSTDOWN|NETUNREACH|PIPE|AI_AGAIN))$/;
const untrusted = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/;

/** One line without the password, or null. `variable` holds `url`. */
export function connectionProblem(error: unknown, url: string, variable = 'DATABASE_URL'): StartError | null {
  const code = codeOf(error);
  const cause = rootCause(error);
  const { names, urls } = databaseHosts(url);
  const where = names.join(', ');
  if (cause instanceof NoPrimary)
    return new StartError(`No database host at ${where} accepts writes. Promote one or change ${variable}.`);
  if (code === '28P01' || code === '28000')
    return new StartError(`The database at ${where} rejected the user or password. Check ${variable}.`);
  if (code === '3D000') {
    const { database } = new pg.Client({ connectionString: urls[0] });
    return new StartError(`The database "${database}" doesn’t exist at ${where}. Create it or change ${variable}.`);
  }
  if (code === '08P01' && /startup parameter/.test(String(cause))) return new StartError(poolerProblem(`(${where})`, variable));
  if (code === '08P01')
    return new StartError(`The connection pooler at ${where} rejected the connection. Check its configuration.`);
  if (code === '42501')
    return new StartError(
      `The database user in ${variable} isn’t allowed to change the tables. Run migrate once, with the URL of the tables’ owner in ${variable}.`,
    );
  if (code === '57P03' || code === '53300')
    return new StartError(`The database at ${where} accepts no connections right now (${code}). Try again in a moment.`);
  if (code !== null && untrusted.test(code))
    return new StartError(
      `Can’t verify the TLS certificate of the database at ${where} (${code}). Check sslmode and sslrootcert in ${variable}.`,
    );
  if (cause instanceof Error && cause.message === 'The server does not support SSL connections')
    return new StartError(`The database at ${where} doesn’t support TLS. Turn TLS on there or change sslmode in ${variable}.`);
  const isLate = code === null && cause instanceof Error && /^(timeout expired|Connection terminated due to)/.test(cause.message);
  if (isLate || isConnecting(cause) || (code !== null && unreachable.test(code)))
    return new StartError(`Can’t connect to the database at ${where} (${code ?? 'timeout'}). Start it or change ${variable}.`);
  return null;
}

export const poolerProblem = (which: string, variable: string): string =>
  variable === 'STATISTICS_DATABASE_URL'
    ? `${variable} points to a connection pooler ${which}. Set it to PostgreSQL itself.`
    : `DATABASE_URL points to a connection pooler ${which}. Set DATABASE_DIRECT_URL to PostgreSQL itself.`;

const isConnecting = (cause: unknown): boolean => cause instanceof Error && 'syscall' in cause && cause.syscall === 'connect';
