import { randomUUID } from 'node:crypto';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/fetch';
import type { ContractRouterClient } from '@orpc/contract';
import { inject } from 'vitest';
import type { contract } from '../../api/contract.ts';
import { createApp, type AppOptions } from '../app.ts';
import { demoAccounts, demoPassword, type RoleName } from '../seed/roles.ts';
import { readConfig, type Config } from '../platform/core/config.ts';
import { openDatabase, type Database } from '../platform/db/db.ts';
import type { Http } from '../platform/http/http.ts';
import { createLogger, type Log } from '../platform/core/log.ts';
import { onCleanup, createTemporaryFolder } from './cleanup.ts';
import { limitToOneConnection } from './one-connection.ts';
import { findAuditFaults } from './recorded.ts';
import { copyDatabase, dropDatabase, runOnServer, replaceDatabase } from './run-postgres.ts';
import { templateDatabase } from './setup.ts';

/** An empty database for statistics; dropped after the test, or after the file. Returns the URL. */
export async function createEmptyDatabase(): Promise<string> {
  const postgresUrl = inject('postgresUrl');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await runOnServer(postgresUrl, `create database ${name}`);
  onCleanup(() => dropDatabase(postgresUrl, name));
  return replaceDatabase(postgresUrl, name);
}

/** Migrated and seeded; dropped after the test, or after the file. */
export async function createTestDatabase(
  log: Log = createLogger({ level: 'silent' }),
  statisticsUrl: string | null = null,
): Promise<Database & { url: string }> {
  const postgresUrl = inject('postgresUrl');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const url = await copyDatabase(postgresUrl, templateDatabase, name);
  // A busy machine must not turn an exact count into an estimate.
  const database = openDatabase({ url, statisticsUrl, log, countMs: 5_000 });
  onCleanup(async () => {
    try {
      const auditFaults = await findAuditFaults(database);
      if (auditFaults.length > 0) throw new Error(`What the audit recorded is not shown in words:\n${auditFaults.join('\n')}`);
    } finally {
      await database.close();
      await dropDatabase(postgresUrl, name);
    }
  });
  return { ...database, url };
}

export interface TestApp {
  http: Http;
  database: Database & { url: string };
  config: Config;
  clock: { now: number };
  logged: string[];
}

export async function createTestApp(
  env: Record<string, string> = {},
  {
    jobs = true,
    statisticsUrl = null,
    ...serviceOverrides
  }: { jobs?: boolean; statisticsUrl?: string | null } & Pick<AppOptions, 'files'> = {},
): Promise<TestApp> {
  const dataDir = createTemporaryFolder();
  const config = readConfig({ NODE_ENV: 'test', DATA_DIR: dataDir, SIGN_IN_PER_NETWORK: '100000', ...env });
  const { log, logged } = createCapturingLog();
  const database = await createTestDatabase(log, statisticsUrl);
  const clock = { now: Date.now() };
  const migratedDatabase = { ...limitToOneConnection(database), migrate: database.schemaStatus };
  const http = await createApp({ config, log, database: migratedDatabase, now: () => clock.now, jobs, ...serviceOverrides });
  onCleanup(async () => {
    await http.stop();
  });
  return { http, database, config, clock, logged };
}

function createCapturingLog() {
  const loggedLines: string[] = [];
  const log = createLogger({ level: 'info' }, { write: (line: string) => void loggedLines.push(line) });
  return { log, logged: loggedLines };
}

export type TestApi = ContractRouterClient<typeof contract>;

export interface TestSession {
  api: TestApi;
  headers: Record<string, string>;
}

/** Uses the sign-in route. `headers` apply to every call. */
export async function signInAs(app: TestApp, role: RoleName, headers: Record<string, string> = {}): Promise<TestSession> {
  const account = demoAccounts.find((demoAccount) => demoAccount.role === role);
  if (!account) throw new Error(`no demo account has the role ${role}`);
  const response = await send(app, 'POST', '/api/session', { email: account.email, password: demoPassword });
  if (response.status !== 200) throw new Error(`sign-in as ${role} answered ${response.status}`);
  const { authorization } = (await response.json()) as { authorization: string };
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? '';
  const session = { authorization, cookie };
  return { headers: session, api: createApi(app, { ...session, ...headers }) };
}

/** Without headers: not signed in. */
export function createApi(app: TestApp, headers: Record<string, string> = {}): TestApi {
  const rpcLink = new RPCLink({ url: 'http://localhost/rpc', headers, fetch: (request) => app.http.fetch(request, localPeer) });
  return createORPCClient(rpcLink);
}

/** A body that is not a string is sent as JSON. */
export function send(
  app: TestApp,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  const requestInit: RequestInit = {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
  };
  if (body !== undefined) requestInit.body = typeof body === 'string' ? body : JSON.stringify(body);
  return app.http.fetch(new Request(`http://localhost${path}`, requestInit), localPeer);
}

export const createPeer = (remoteAddress: string) => ({ incoming: { socket: { remoteAddress } } });
const localPeer = createPeer('127.0.0.1');
