import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { root, SetupError } from '../../scripts/setup.mjs';
import { ensureInstalled } from '../../scripts/suite/debian.mjs';
import { isReachable, debianPostgres, postgresAccount } from './postgres-pair.ts';
import { postgresProcesses, waitUntil } from './process.ts';

const run = promisify(execFile);
const programs = ['patroni', 'patronictl', 'etcd', 'haproxy', 'pgbouncer'];
const packages = ['patroni', 'etcd-server', 'haproxy', 'pgbouncer'];
const names = ['one', 'two', 'three'] as const;
type NodeName = (typeof names)[number];

interface Member {
  name: NodeName;
  role: string;
  state: string;
  timeline?: number;
}

export async function needPatroni(): Promise<string> {
  const isThere = () => programs.every((program) => !spawnSync(program, ['--version'], { stdio: 'ignore' }).error);
  if (!(await ensureInstalled(isThere, 'Patroni', packages)))
    throw new SetupError(`The tests need ${packages.join(', ')} of Debian. Install them and run the tests again.`);
  return debianPostgres();
}

/** Three machines with etcd, Patroni and PostgreSQL behind haproxy and pgbouncer, configured from docs/deploy/patroni. */
export async function startPatroni() {
  const bin = await needPatroni();
  const account = await postgresAccount();
  const home = mkdtempSync(join(tmpdir(), 'patroni-'));
  chownSync(home, account.uid, account.gid);
  chmodSync(home, 0o700);
  // Linux accepts all of 127.0.0.0/8, so each run has its own addresses and default ports.
  const network = `127.${1 + (process.pid % 250)}.${1 + Math.floor(Math.random() * 250)}`;
  const passwords = Object.fromEntries(
    ['REST', 'SUPERUSER', 'REPLICATION', 'REWIND', 'PANEL'].map((whose) => [
      `${whose}_PASSWORD`,
      randomBytes(12).toString('hex'),
    ]),
  );
  const running = new Map<string, { child: ChildProcess; ended: Promise<void> }>();
  const user = `panel:${passwords['PANEL_PASSWORD']}`;
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') console.log(logs());
    for (const node of names) await killNode(node);
    for (const name of running.keys()) await end(name, 'SIGKILL');
    rmSync(home, { recursive: true, force: true });
  });
  const addressOf = (node: NodeName) => `${network}.${names.indexOf(node) + 1}`;

  /** With this run's addresses, folders and passwords. */
  function recipe(file: string, folder: string, node: NodeName = 'one'): string {
    const text = readFileSync(join(root, 'docs/deploy/patroni', file), 'utf8')
      .replace(/^(name: |ETCD_NAME=)one$/m, `$1${node}`)
      .replaceAll(
        /^(\s*(?:listen|connect_address): |ETCD_\w*(?:LISTEN|ADVERTISE)\w*=http:\/\/)10\.0\.0\.1:/gm,
        `$1${addressOf(node)}:`,
      )
      .replaceAll(/10\.0\.0\.\d+\/\d+/g, '127.0.0.0/8')
      .replaceAll('10.0.0.', `${network}.`)
      .replaceAll('127.0.0.1', `${network}.100`)
      .replaceAll('/var/lib/postgresql/15/panel', join(folder, 'postgres'))
      .replaceAll('/usr/lib/postgresql/15/bin', bin)
      .replaceAll('/var/run/postgresql', folder)
      .replaceAll('/var/lib/etcd/panel', join(folder, 'etcd'))
      .replaceAll('/etc/pgbouncer', folder)
      .replaceAll(/\b[A-Z]+_PASSWORD\b/g, (name) => passwords[name] ?? name);
    const path = join(folder, file);
    write(path, text);
    return path;
  }

  function write(path: string, text: string) {
    writeFileSync(path, text, { mode: 0o600 });
    chownSync(path, account.uid, account.gid);
  }

  function start(name: string, program: string, args: string[], env: Record<string, string> = {}) {
    const log = openSync(join(home, `${name}.log`), 'a');
    const options = { ...account, cwd: home, env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', ...env } };
    const child = spawn(program, args, { ...options, stdio: ['ignore', log, log] });
    closeSync(log);
    running.set(name, { child, ended: new Promise((resolve) => child.once('exit', () => resolve())) });
  }

  async function end(name: string, signal: NodeJS.Signals) {
    const process = running.get(name);
    running.delete(name);
    process?.child.kill(signal);
    await process?.ended;
  }

  const urlOf = (node: NodeName) => `postgres://${user}@${addressOf(node)}/admin_panel`;
  const folderOf = (node: NodeName) => join(home, node);
  const startNode = (node: NodeName) => start(`patroni-${node}`, 'patroni', [join(folderOf(node), 'patroni.yml')]);

  async function killNode(node: NodeName) {
    const ended = end(`patroni-${node}`, 'SIGKILL');
    const killAll = () => {
      const pids = postgresProcesses(folderOf(node));
      if (pids.length > 0) spawnSync('kill', ['-KILL', ...pids.map(String)], { stdio: 'ignore' });
      return pids.length === 0;
    };
    killAll();
    await ended;
    await waitUntil(killAll);
  }

  function startEtcd() {
    for (const node of names) {
      const lines = readFileSync(join(folderOf(node), 'etcd.env'), 'utf8').split('\n');
      const settings = lines.filter((line) => /^\w+=/.test(line)).map((line) => line.split(/=(.*)/s).slice(0, 2));
      start(`etcd-${node}`, 'etcd', [], Object.fromEntries(settings) as Record<string, string>);
    }
  }

  async function members(): Promise<Member[]> {
    for (const node of names) {
      const response = await fetch(`http://${addressOf(node)}:8008/cluster`, { signal: AbortSignal.timeout(5_000) }).catch(
        () => null,
      );
      if (response?.ok) return ((await response.json()) as { members: Member[] }).members;
    }
    return [];
  }

  const isHealthy = async () => {
    const all = await members();
    const [leader] = all.filter(({ role }) => role === 'leader');
    const isRunning = all.every(({ state, timeline }) => /running|streaming/.test(state) && timeline === leader?.timeline);
    return all.length === names.length && isRunning && all.some(({ role }) => role === 'sync_standby');
  };

  async function leader(): Promise<NodeName> {
    const found = (await members()).find(({ role }) => role === 'leader');
    if (!found) throw new Error(`Patroni has no leader: ${logs()}`);
    return found.name;
  }

  const logs = () =>
    [...running.keys()].map((name) => `${name}: ${readFileSync(join(home, `${name}.log`), 'utf8').slice(-1_500)}`).join('\n');

  const patronictl = (...args: string[]) =>
    run('patronictl', ['-c', join(folderOf('one'), 'patroni.yml'), ...args], { cwd: home });

  /** Uses the command of docs/operations/patroni.md. Each standby restarts to copy the slot. */
  async function addSlot(name: string) {
    const settings = { type: 'logical', database: 'admin_panel', plugin: 'pgoutput' };
    const options = Object.entries(settings).flatMap(([key, value]) => ['-s', `slots.${name}.${key}=${value}`]);
    await patronictl('edit-config', '--force', ...options);
    for (const node of names) await waitUntil(() => hasSlot(node, name).catch(() => false));
    await waitUntil(isHealthy);
  }

  async function hasSlot(node: NodeName, name: string): Promise<boolean> {
    const client = new pg.Client({ connectionString: urlOf(node) });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query('select from pg_replication_slots where slot_name = $1', [name])).rows.length === 1;
    } finally {
      await client.end();
    }
  }

  const pooledUrl = `postgres://${user}@${network}.100:6432/admin_panel`;
  const hosts = names.map((node) => `${addressOf(node)}:5432`).join(',');
  for (const node of names) {
    mkdirSync(folderOf(node), { mode: 0o700 });
    chownSync(folderOf(node), account.uid, account.gid);
    recipe('etcd.env', folderOf(node), node);
    recipe('patroni.yml', folderOf(node), node);
  }
  startEtcd();
  for (const node of names) startNode(node);
  await waitUntil(isHealthy);
  const client = new pg.Client({
    connectionString: `postgres://postgres:${passwords['SUPERUSER_PASSWORD']}@${addressOf(await leader())}/postgres`,
  });
  await client.connect();
  await client.query(`create role panel login password '${passwords['PANEL_PASSWORD']}'`);
  await client.query('create database admin_panel owner panel');
  await client.end();
  start('haproxy', 'haproxy', ['-db', '-f', recipe('haproxy.cfg', home)]);
  write(join(home, 'userlist.txt'), `"panel" "${passwords['PANEL_PASSWORD']}"\n`);
  start('pgbouncer', 'pgbouncer', [recipe('pgbouncer.ini', home)]);
  await waitUntil(() => isReachable(pooledUrl));
  return {
    pooledUrl,
    listUrl: `postgres://${user}@${hosts}/admin_panel?target_session_attrs=read-write`,
    readUrl: `postgres://${user}@${network}.100:5001/admin_panel`,
    urlOf,
    leader,
    isHealthy,
    addSlot,
    hasSlot,
    patronictl,
    killNode,
    startNode,
    startEtcd,
    stopEtcd: async () => {
      await Promise.all(names.map((node) => end(`etcd-${node}`, 'SIGTERM')));
    },
  };
}
