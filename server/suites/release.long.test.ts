import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { freePort } from '../../chain/free-port.ts';
import { root } from '../../scripts/setup.mjs';
import { listen } from '../platform/http/listen.ts';
import { temporaryFolder } from '../testing/end.ts';
import { waitUntil } from '../testing/process.ts';
import { onServer, withDatabase } from '../testing/run-postgres.ts';

// Follows docs/deploy/Containerfile, as a user without write access.

const account = { email: 'first@panel.example', password: 'long enough for anybody 4' };
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

describe('a release', { timeout: 300_000 }, () => {
  let panel: string;
  let env: Record<string, string>;
  const run = (args: readonly string[], more: Record<string, string> = {}) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(panel, 'panel.mjs'), ...args], {
      ...nobody,
      cwd: env['DATA_DIR'],
      env: { ...env, ...more },
      encoding: 'utf8',
    });
    return { status, said: stdout + stderr };
  };

  beforeAll(async () => {
    const folder = temporaryFolder();
    panel = join(folder, 'panel');
    execFileSync(process.execPath, ['scripts/release.mjs', panel], { cwd: root });
    const secrets = join(folder, 'secrets');
    const dataDir = join(folder, 'data');
    for (const path of [secrets, dataDir]) mkdirSync(path);
    const name = `release_${randomBytes(8).toString('hex')}`;
    await onServer(inject('postgresUrl'), `create database ${name}`);
    writeFileSync(join(secrets, 'database-url'), `${withDatabase(inject('postgresUrl'), name)}\n`);
    writeFileSync(join(secrets, 'secret-key'), `${randomBytes(48).toString('base64')}\n`);
    chmodSync(folder, 0o755);
    if (nobody.uid !== undefined) for (const path of [dataDir]) chownSync(path, nobody.uid, nobody.gid);
    const port = String(await freePort());
    env = {
      NODE_ENV: 'production',
      PORT: port,
      PUBLIC_URL: `http://localhost:${port}`,
      DATA_DIR: dataDir,
      DATABASE_URL_FILE: join(secrets, 'database-url'),
      SECRET_KEY_FILE: join(secrets, 'secret-key'),
      NEW_BROWSER_CODE: 'off',
      DRAIN_SECONDS: '0',
      METRICS_PORT: String(await freePort()),
      LOG_LEVEL: 'warn',
    };
  }, 300_000);

  test('contains only what runs', () => {
    const files = readdirSync(panel, { recursive: true, encoding: 'utf8' });
    const own = files.filter((file) => !file.startsWith('node_modules/'));
    expect(own.filter((file) => /\.tsx?$|demo-wallet|\.test\.|\/test-/.test(file))).toEqual([]);
    const packages = readdirSync(join(panel, 'node_modules'));
    expect(packages).toEqual(expect.arrayContaining(['pg', 'pino', 'prom-client', 'sharp']));
    expect(packages.filter((name) => /typescript|tsx|vite|react|esbuild|playwright|embedded|foundry/.test(name))).toEqual([]);
    const writable = spawnSync('find', [panel, '-writable', '-not', '-type', 'l'], { ...nobody, encoding: 'utf8' });
    if (nobody.uid !== undefined) expect(writable.stdout).toBe('');
  });

  test('creates its tables and first administrator, serves, is healthy, and stops cleanly', async () => {
    expect(run(['healthcheck']).status).toBe(1);
    expect(run(['admin:create'], { EMAIL: account.email, PASSWORD: account.password })).toEqual({
      status: 0,
      said: `${account.email} can sign in now and has all permissions.\n`,
    });
    expect(run(['pictures:move', '--to', 'disk'])).toEqual({ status: 1, said: expect.stringContaining('S3_ENDPOINT') });
    let traces = '';
    const collector = createServer((request, response) => {
      request.setEncoding('utf8').on('data', (text: string) => (traces += text));
      request.on('end', () => response.end('{}'));
    });
    const toCollector = `http://127.0.0.1:${await listen(collector, { host: '127.0.0.1', port: 0 })}`;
    const server = spawn(process.execPath, [join(panel, 'panel.mjs')], {
      ...nobody,
      cwd: env['DATA_DIR'],
      env: { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: toCollector },
      stdio: 'pipe',
    });
    let reported = '';
    for (const stream of [server.stdout, server.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (reported += text));
    const ended = new Promise((resolve) => server.once('exit', (code, signal) => resolve({ code, signal })));
    try {
      await waitUntil(() => {
        if (server.exitCode !== null) throw new Error(reported);
        return run(['healthcheck']).status === 0;
      });
      const origin = `http://127.0.0.1:${env['PORT']}`;
      const signedIn = await fetch(`${origin}/api/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(account),
      });
      expect(signedIn.status).toBe(200);
      const page = await fetch(origin);
      expect([page.status, page.headers.get('x-build')]).toEqual([200, expect.any(String)]);
      expect(await (await fetch(`http://127.0.0.1:${env['METRICS_PORT']}/metrics`)).text()).toContain(
        'admin_panel_database_up 1\n',
      );
      await waitUntil(() => traces.includes('session.signIn'));
    } finally {
      collector.close();
      server.kill('SIGTERM');
    }
    expect(await ended).toEqual({ code: 0, signal: null });
  });

  test('verifies its audit, and includes the other programs', () => {
    expect(run(['audit:verify'])).toEqual({ status: 0, said: expect.stringContaining('The audit is unchanged') });
    expect(run(['authority:verify', '--help']).status).toBe(0);
    for (const part of ['backup', 'restore'])
      expect(run([part, '--help'])).toEqual({ status: 0, said: expect.stringContaining(`${part} FOLDER`) });
    expect(run(['authority:init', '--help']).status).toBe(0);
    expect(run(['signer'])).toEqual({ status: 1, said: 'signer: SIGNER_DATABASE_URL is required by the signer.\n' });
    expect(run(['signer', '--grants', 'signer'])).toEqual({ status: 0, said: expect.stringContaining('TO signer;') });
    expect(run(['nothing']).status).toBe(2);
  });
});
