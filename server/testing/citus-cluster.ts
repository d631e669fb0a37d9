import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from '../../chain/free-port.ts';
import { isReachable, debianPostgres, postgresAccount } from './postgres-pair.ts';
import { waitUntil } from './process.ts';
import { withDatabase } from './run-postgres.ts';

const run = promisify(execFile);

export interface CitusNode {
  readonly port: number;
  readonly url: string;
  start(changed?: Readonly<Record<string, string>>): Promise<void>;
  /** Kills all processes, like a power loss. */
  kill(): Promise<void>;
  /** In the cluster's first database, unless another URL is named. */
  query<T extends pg.QueryResultRow>(sql: string, at?: string): Promise<T[]>;
}

export interface CitusCluster {
  readonly coordinator: CitusNode;
  readonly workers: readonly CitusNode[];
  /** Not yet part of the cluster. */
  readonly spare: CitusNode;
  /** Another database of the coordinator and the two workers. Returns the coordinator's URL. */
  newDatabase(): Promise<string>;
  /** Started, and every commit of the node waits for it. */
  standbyOf(node: CitusNode): Promise<CitusNode>;
  stop(): Promise<void>;
}

/** A coordinator with two workers, and a third for later. */
export async function startCitusCluster(): Promise<CitusCluster> {
  const bin = await debianPostgres();
  const account = await postgresAccount();
  const home = mkdtempSync(join(tmpdir(), 'citus-'));
  const password = randomBytes(12).toString('hex');
  const secret = join(home, 'password');
  const passwords = join(home, 'pgpass');
  writeFileSync(secret, password);
  writeFileSync(passwords, `*:*:*:*:${password}\n`, { mode: 0o600 });
  for (const path of [home, secret, passwords]) chownSync(path, account.uid, account.gid);
  chmodSync(home, 0o700);
  // Nodes connect to each other with this file.
  const as = { ...account, cwd: home, env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', PGPASSFILE: passwords } };
  const nodes: CitusNode[] = [];
  const stop = async () => {
    for (const node of nodes) await node.kill();
    rmSync(home, { recursive: true, force: true });
  };

  const folders = new Map<CitusNode, string>();

  function nodeAt(folder: string, port: number): CitusNode {
    const url = `postgres://postgres:${password}@127.0.0.1:${port}/visits`;
    let child: ChildProcess | null = null;
    const node: CitusNode = {
      port,
      url,
      async start(changed = {}) {
        const settings = {
          port,
          listen_addresses: '127.0.0.1',
          unix_socket_directories: '',
          max_connections: 200,
          shared_preload_libraries: 'citus',
          wal_level: 'logical',
          max_prepared_transactions: 200,
          fsync: 'off',
          'citus.node_conninfo': 'sslmode=prefer',
          ...changed,
        };
        const options = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
        child = spawn(join(bin, 'postgres'), ['-D', folder, ...options], { ...as, stdio: 'ignore' });
        await waitUntil(() => isReachable(withDatabase(url, 'postgres')));
      },
      async kill() {
        const ended = child;
        child = null;
        if (!ended || ended.exitCode !== null || ended.signalCode !== null) return;
        const closed = new Promise((resolve) => ended.once('exit', resolve));
        ended.kill('SIGQUIT'); // ends all its processes immediately, without a checkpoint
        await closed;
      },
      query: (sql, at = url) => queryOnce(at, sql),
    };
    nodes.push(node);
    folders.set(node, folder);
    return node;
  }

  async function newNode(name: string): Promise<CitusNode> {
    const folder = join(home, name);
    await run(join(bin, 'initdb'), ['-D', folder, '-U', 'postgres', '-A', 'scram-sha-256', '--pwfile', secret], as);
    const node = nodeAt(folder, await freePort());
    await node.start();
    return node;
  }

  async function standbyOf(primary: CitusNode): Promise<CitusNode> {
    const folder = `${folders.get(primary)}-standby`;
    const from = `host=127.0.0.1 port=${primary.port} user=postgres`;
    await run(join(bin, 'pg_basebackup'), ['-D', folder, '-R', '-c', 'fast', '-d', from], as);
    const standby = nodeAt(folder, await freePort());
    await standby.start();
    await primary.query(`alter system set synchronous_standby_names = '*'`);
    await primary.query('select pg_reload_conf()');
    await waitUntil(async () => (await primary.query(`select from pg_stat_replication where sync_state = 'sync'`)).length > 0);
    return standby;
  }

  async function createOn({ url }: CitusNode, name: string): Promise<string> {
    await queryOnce(withDatabase(url, 'postgres'), `create database ${name}`);
    await queryOnce(withDatabase(url, name), 'create extension citus');
    return withDatabase(url, name);
  }

  try {
    const [coordinator, one, two, spare] = await Promise.all(['coordinator', 'one', 'two', 'spare'].map(newNode));
    if (!coordinator || !one || !two || !spare) throw new Error('a node did not start');
    const workers = [one, two];
    const newDatabase = async (name = `visits_${randomBytes(6).toString('hex')}`) => {
      const [url = ''] = await Promise.all([coordinator, ...workers].map((node) => createOn(node, name)));
      await queryOnce(url, `select citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`);
      for (const { port } of workers) await queryOnce(url, `select citus_add_node('127.0.0.1', ${port})`);
      return url;
    };
    await Promise.all([newDatabase('visits'), createOn(spare, 'visits')]);
    return { coordinator, workers, spare, newDatabase: () => newDatabase(), standbyOf, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function queryOnce<T extends pg.QueryResultRow>(url: string, sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
}
