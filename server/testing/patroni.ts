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
import { isReachable, findDebianPostgres, readPostgresAccount } from './postgres-pair.ts';
import { findPostgresProcesses, waitUntil } from './process.ts';

const execFileAsync = promisify(execFile);
const requiredPrograms = ['patroni', 'patronictl', 'etcd', 'haproxy', 'pgbouncer'];
const debianPackages = ['patroni', 'etcd-server', 'haproxy', 'pgbouncer'];
const nodeNames = ['one', 'two', 'three'] as const;
type NodeName = (typeof nodeNames)[number];

interface Member {
  name: NodeName;
  role: string;
  state: string;
  timeline?: number;
}

export async function requirePatroni(): Promise<string> {
  const isInstalled = () => requiredPrograms.every((program) => !spawnSync(program, ['--version'], { stdio: 'ignore' }).error);
  if (!(await ensureInstalled(isInstalled, 'Patroni', debianPackages)))
    throw new SetupError(`The tests need ${debianPackages.join(', ')} of Debian. Install them and run the tests again.`);
  return findDebianPostgres();
}

/** Three machines with etcd, Patroni and PostgreSQL behind haproxy and pgbouncer, configured from docs/deploy/patroni. */
export async function startPatroni() {
  const binariesFolder = await requirePatroni();
  const account = await readPostgresAccount();
  const homeFolder = mkdtempSync(join(tmpdir(), 'patroni-'));
  chownSync(homeFolder, account.uid, account.gid);
  chmodSync(homeFolder, 0o700);
  // Linux accepts all of 127.0.0.0/8, so each run has its own addresses and default ports.
  const network = `127.${1 + (process.pid % 250)}.${1 + Math.floor(Math.random() * 250)}`;
  const passwords = Object.fromEntries(
    ['REST', 'SUPERUSER', 'REPLICATION', 'REWIND', 'PANEL'].map((passwordName) => [
      `${passwordName}_PASSWORD`,
      randomBytes(12).toString('hex'),
    ]),
  );
  const runningProcesses = new Map<string, { child: ChildProcess; ended: Promise<void> }>();
  const user = `panel:${passwords['PANEL_PASSWORD']}`;
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') console.log(readLogs());
    for (const node of nodeNames) await killNode(node);
    for (const name of runningProcesses.keys()) await stopProgram(name, 'SIGKILL');
    rmSync(homeFolder, { recursive: true, force: true });
  });
  const addressOf = (node: NodeName) => `${network}.${nodeNames.indexOf(node) + 1}`;

  /** With this run's addresses, folders and passwords. */
  function renderTemplate(file: string, folder: string, node: NodeName = 'one'): string {
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
      .replaceAll('/usr/lib/postgresql/15/bin', binariesFolder)
      .replaceAll('/var/run/postgresql', folder)
      .replaceAll('/var/lib/etcd/panel', join(folder, 'etcd'))
      .replaceAll('/etc/pgbouncer', folder)
      .replaceAll(/\b[A-Z]+_PASSWORD\b/g, (name) => passwords[name] ?? name);
    const path = join(folder, file);
    writeConfigFile(path, text);
    return path;
  }

  function writeConfigFile(path: string, text: string) {
    writeFileSync(path, text, { mode: 0o600 });
    chownSync(path, account.uid, account.gid);
  }

  function startProgram(name: string, program: string, args: string[], env: Record<string, string> = {}) {
    const log = openSync(join(homeFolder, `${name}.log`), 'a');
    const options = { ...account, cwd: homeFolder, env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', ...env } };
    const child = spawn(program, args, { ...options, stdio: ['ignore', log, log] });
    closeSync(log);
    runningProcesses.set(name, { child, ended: new Promise((resolve) => child.once('exit', () => resolve())) });
  }

  async function stopProgram(name: string, signal: NodeJS.Signals) {
    const runningProcess = runningProcesses.get(name);
    runningProcesses.delete(name);
    runningProcess?.child.kill(signal);
    await runningProcess?.ended;
  }

  const nodeUrlOf = (node: NodeName) => `postgres://${user}@${addressOf(node)}/admin_panel`;
  const nodeFolderOf = (node: NodeName) => join(homeFolder, node);
  const startNode = (node: NodeName) => startProgram(`patroni-${node}`, 'patroni', [join(nodeFolderOf(node), 'patroni.yml')]);

  async function killNode(node: NodeName) {
    const ended = stopProgram(`patroni-${node}`, 'SIGKILL');
    const killPostgresProcesses = () => {
      const pids = findPostgresProcesses(nodeFolderOf(node));
      if (pids.length > 0) spawnSync('kill', ['-KILL', ...pids.map(String)], { stdio: 'ignore' });
      return pids.length === 0;
    };
    killPostgresProcesses();
    await ended;
    await waitUntil(killPostgresProcesses);
  }

  function startEtcd() {
    for (const node of nodeNames) {
      const envLines = readFileSync(join(nodeFolderOf(node), 'etcd.env'), 'utf8').split('\n');
      const settings = envLines.filter((line) => /^\w+=/.test(line)).map((line) => line.split(/=(.*)/s).slice(0, 2));
      startProgram(`etcd-${node}`, 'etcd', [], Object.fromEntries(settings) as Record<string, string>);
    }
  }

  async function readMembers(): Promise<Member[]> {
    for (const node of nodeNames) {
      const response = await fetch(`http://${addressOf(node)}:8008/cluster`, { signal: AbortSignal.timeout(5_000) }).catch(
        () => null,
      );
      if (response?.ok) return ((await response.json()) as { members: Member[] }).members;
    }
    return [];
  }

  const isHealthy = async () => {
    const allMembers = await readMembers();
    const [leaderMember] = allMembers.filter(({ role }) => role === 'leader');
    const isRunning = allMembers.every(
      ({ state, timeline }) => /running|streaming/.test(state) && timeline === leaderMember?.timeline,
    );
    return allMembers.length === nodeNames.length && isRunning && allMembers.some(({ role }) => role === 'sync_standby');
  };

  async function readLeader(): Promise<NodeName> {
    const leaderMember = (await readMembers()).find(({ role }) => role === 'leader');
    if (!leaderMember) throw new Error(`Patroni has no leader: ${readLogs()}`);
    return leaderMember.name;
  }

  const readLogs = () =>
    [...runningProcesses.keys()]
      .map((name) => `${name}: ${readFileSync(join(homeFolder, `${name}.log`), 'utf8').slice(-1_500)}`)
      .join('\n');

  const runPatronictl = (...args: string[]) =>
    execFileAsync('patronictl', ['-c', join(nodeFolderOf('one'), 'patroni.yml'), ...args], { cwd: homeFolder });

  /** Uses the command of docs/operations/patroni.md. Each standby restarts to copy the slot. */
  async function addReplicationSlot(name: string) {
    const settings = { type: 'logical', database: 'admin_panel', plugin: 'pgoutput' };
    const options = Object.entries(settings).flatMap(([key, value]) => ['-s', `slots.${name}.${key}=${value}`]);
    await runPatronictl('edit-config', '--force', ...options);
    for (const node of nodeNames) await waitUntil(() => hasReplicationSlot(node, name).catch(() => false));
    await waitUntil(isHealthy);
  }

  async function hasReplicationSlot(node: NodeName, name: string): Promise<boolean> {
    const client = new pg.Client({ connectionString: nodeUrlOf(node) });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query('select from pg_replication_slots where slot_name = $1', [name])).rows.length === 1;
    } finally {
      await client.end();
    }
  }

  const pooledUrl = `postgres://${user}@${network}.100:6432/admin_panel`;
  const hosts = nodeNames.map((node) => `${addressOf(node)}:5432`).join(',');
  for (const node of nodeNames) {
    mkdirSync(nodeFolderOf(node), { mode: 0o700 });
    chownSync(nodeFolderOf(node), account.uid, account.gid);
    renderTemplate('etcd.env', nodeFolderOf(node), node);
    renderTemplate('patroni.yml', nodeFolderOf(node), node);
  }
  startEtcd();
  for (const node of nodeNames) startNode(node);
  await waitUntil(isHealthy);
  const client = new pg.Client({
    connectionString: `postgres://postgres:${passwords['SUPERUSER_PASSWORD']}@${addressOf(await readLeader())}/postgres`,
  });
  await client.connect();
  await client.query(`create role panel login password '${passwords['PANEL_PASSWORD']}'`);
  await client.query('create database admin_panel owner panel');
  await client.end();
  startProgram('haproxy', 'haproxy', ['-db', '-f', renderTemplate('haproxy.cfg', homeFolder)]);
  writeConfigFile(join(homeFolder, 'userlist.txt'), `"panel" "${passwords['PANEL_PASSWORD']}"\n`);
  startProgram('pgbouncer', 'pgbouncer', [renderTemplate('pgbouncer.ini', homeFolder)]);
  await waitUntil(() => isReachable(pooledUrl));
  return {
    pooledUrl,
    listUrl: `postgres://${user}@${hosts}/admin_panel?target_session_attrs=read-write`,
    readUrl: `postgres://${user}@${network}.100:5001/admin_panel`,
    urlOf: nodeUrlOf,
    leader: readLeader,
    isHealthy,
    addSlot: addReplicationSlot,
    hasSlot: hasReplicationSlot,
    patronictl: runPatronictl,
    killNode,
    startNode,
    startEtcd,
    stopEtcd: async () => {
      await Promise.all(nodeNames.map((node) => stopProgram(`etcd-${node}`, 'SIGTERM')));
    },
  };
}
