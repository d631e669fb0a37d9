import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { findFreePort } from '../../chain/free-port.ts';
import { isReachable, findDebianPostgres, readPostgresAccount } from './postgres-pair.ts';
import { waitUntil } from './process.ts';
import { replaceDatabase } from './run-postgres.ts';

const execFileAsync = promisify(execFile);

export interface CitusNode {
  readonly port: number;
  readonly url: string;
  start(settingsOverrides?: Readonly<Record<string, string>>): Promise<void>;
  /** Kills all processes, like a power loss. */
  kill(): Promise<void>;
  /** In the cluster's first database, unless another URL is named. */
  query<T extends pg.QueryResultRow>(sql: string, targetUrl?: string): Promise<T[]>;
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
  const binariesFolder = await findDebianPostgres();
  const account = await readPostgresAccount();
  const homeFolder = mkdtempSync(join(tmpdir(), 'citus-'));
  const password = randomBytes(12).toString('hex');
  const secret = join(homeFolder, 'password');
  const passwordFile = join(homeFolder, 'pgpass');
  writeFileSync(secret, password);
  writeFileSync(passwordFile, `*:*:*:*:${password}\n`, { mode: 0o600 });
  for (const path of [homeFolder, secret, passwordFile]) chownSync(path, account.uid, account.gid);
  chmodSync(homeFolder, 0o700);
  // Nodes connect to each other with this file.
  const spawnOptions = {
    ...account,
    cwd: homeFolder,
    env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', PGPASSFILE: passwordFile },
  };
  const nodes: CitusNode[] = [];
  const stop = async () => {
    for (const node of nodes) await node.kill();
    rmSync(homeFolder, { recursive: true, force: true });
  };

  const folderByNode = new Map<CitusNode, string>();

  function createNode(folder: string, port: number): CitusNode {
    const url = `postgres://postgres:${password}@127.0.0.1:${port}/visits`;
    let child: ChildProcess | null = null;
    const node: CitusNode = {
      port,
      url,
      async start(settingsOverrides = {}) {
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
          ...settingsOverrides,
        };
        const options = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
        child = spawn(join(binariesFolder, 'postgres'), ['-D', folder, ...options], { ...spawnOptions, stdio: 'ignore' });
        await waitUntil(() => isReachable(replaceDatabase(url, 'postgres')));
      },
      async kill() {
        const endedProcess = child;
        child = null;
        if (!endedProcess || endedProcess.exitCode !== null || endedProcess.signalCode !== null) return;
        const processExit = new Promise((resolve) => endedProcess.once('exit', resolve));
        endedProcess.kill('SIGQUIT'); // ends all its processes immediately, without a checkpoint
        await processExit;
      },
      query: (sql, targetUrl = url) => queryOnce(targetUrl, sql),
    };
    nodes.push(node);
    folderByNode.set(node, folder);
    return node;
  }

  async function newNode(name: string): Promise<CitusNode> {
    const folder = join(homeFolder, name);
    await execFileAsync(
      join(binariesFolder, 'initdb'),
      ['-D', folder, '-U', 'postgres', '-A', 'scram-sha-256', '--pwfile', secret],
      spawnOptions,
    );
    const node = createNode(folder, await findFreePort());
    await node.start();
    return node;
  }

  async function createStandbyOf(primary: CitusNode): Promise<CitusNode> {
    const folder = `${folderByNode.get(primary)}-standby`;
    const connectionInfo = `host=127.0.0.1 port=${primary.port} user=postgres`;
    await execFileAsync(
      join(binariesFolder, 'pg_basebackup'),
      ['-D', folder, '-R', '-c', 'fast', '-d', connectionInfo],
      spawnOptions,
    );
    const standby = createNode(folder, await findFreePort());
    await standby.start();
    await primary.query(`alter system set synchronous_standby_names = '*'`);
    await primary.query('select pg_reload_conf()');
    await waitUntil(async () => (await primary.query(`select from pg_stat_replication where sync_state = 'sync'`)).length > 0);
    return standby;
  }

  async function createDatabaseOn({ url }: CitusNode, name: string): Promise<string> {
    await queryOnce(replaceDatabase(url, 'postgres'), `create database ${name}`);
    await queryOnce(replaceDatabase(url, name), 'create extension citus');
    return replaceDatabase(url, name);
  }

  try {
    const [coordinator, firstWorker, secondWorker, spare] = await Promise.all(
      ['coordinator', 'one', 'two', 'spare'].map(newNode),
    );
    if (!coordinator || !firstWorker || !secondWorker || !spare) throw new Error('a node did not start');
    const workers = [firstWorker, secondWorker];
    const newDatabase = async (name = `visits_${randomBytes(6).toString('hex')}`) => {
      const [url = ''] = await Promise.all([coordinator, ...workers].map((node) => createDatabaseOn(node, name)));
      await queryOnce(url, `select citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`);
      for (const { port } of workers) await queryOnce(url, `select citus_add_node('127.0.0.1', ${port})`);
      return url;
    };
    await Promise.all([newDatabase('visits'), createDatabaseOn(spare, 'visits')]);
    return { coordinator, workers, spare, newDatabase: () => newDatabase(), standbyOf: createStandbyOf, stop };
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
