import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { findFreePort } from '../../chain/free-port.ts';
import { root } from '../../scripts/setup.mjs';
import { listen } from '../platform/http/listen.ts';
import { createTemporaryFolder } from '../testing/cleanup.ts';
import { waitUntil } from '../testing/process.ts';
import { runOnServer, replaceDatabase } from '../testing/run-postgres.ts';

// Follows docs/deploy/Containerfile, as a user without write access.

const administratorAccount = { email: 'first@panel.example', password: 'long enough for anybody 4' };
const nobodyAccount = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

describe('a release', { timeout: 300_000 }, () => {
  let panelFolder: string;
  let env: Record<string, string>;
  const runPanel = (args: readonly string[], extraEnv: Record<string, string> = {}) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(panelFolder, 'panel.mjs'), ...args], {
      ...nobodyAccount,
      cwd: env['DATA_DIR'],
      env: { ...env, ...extraEnv },
      encoding: 'utf8',
    });
    return { status, said: stdout + stderr };
  };

  beforeAll(async () => {
    const folder = createTemporaryFolder();
    panelFolder = join(folder, 'panel');
    execFileSync(process.execPath, ['scripts/release.mjs', panelFolder], { cwd: root });
    const secretsFolder = join(folder, 'secrets');
    const dataDir = join(folder, 'data');
    for (const path of [secretsFolder, dataDir]) mkdirSync(path);
    const name = `release_${randomBytes(8).toString('hex')}`;
    await runOnServer(inject('postgresUrl'), `create database ${name}`);
    writeFileSync(join(secretsFolder, 'database-url'), `${replaceDatabase(inject('postgresUrl'), name)}\n`);
    writeFileSync(join(secretsFolder, 'secret-key'), `${randomBytes(48).toString('base64')}\n`);
    chmodSync(folder, 0o755);
    if (nobodyAccount.uid !== undefined) for (const path of [dataDir]) chownSync(path, nobodyAccount.uid, nobodyAccount.gid);
    const port = String(await findFreePort());
    env = {
      NODE_ENV: 'production',
      PORT: port,
      PUBLIC_URL: `http://localhost:${port}`,
      DATA_DIR: dataDir,
      DATABASE_URL_FILE: join(secretsFolder, 'database-url'),
      SECRET_KEY_FILE: join(secretsFolder, 'secret-key'),
      NEW_BROWSER_CODE: 'off',
      DRAIN_SECONDS: '0',
      METRICS_PORT: String(await findFreePort()),
      LOG_LEVEL: 'warn',
    };
  }, 300_000);

  test('contains only what runs', () => {
    const fileNames = readdirSync(panelFolder, { recursive: true, encoding: 'utf8' });
    const releaseFiles = fileNames.filter((file) => !file.startsWith('node_modules/'));
    expect(releaseFiles.filter((file) => /\.tsx?$|demo-wallet|\.test\.|\/test-/.test(file))).toEqual([]);
    const packageNames = readdirSync(join(panelFolder, 'node_modules'));
    expect(packageNames).toEqual(expect.arrayContaining(['pg', 'pino', 'prom-client', 'sharp']));
    expect(packageNames.filter((name) => /typescript|tsx|vite|react|esbuild|playwright|embedded|foundry/.test(name))).toEqual([]);
    const writableFiles = spawnSync('find', [panelFolder, '-writable', '-not', '-type', 'l'], {
      ...nobodyAccount,
      encoding: 'utf8',
    });
    if (nobodyAccount.uid !== undefined) expect(writableFiles.stdout).toBe('');
  });

  test('creates its tables and first administrator, serves, is healthy, and stops cleanly', async () => {
    expect(runPanel(['healthcheck']).status).toBe(1);
    expect(runPanel(['admin:create'], { EMAIL: administratorAccount.email, PASSWORD: administratorAccount.password })).toEqual({
      status: 0,
      said: `${administratorAccount.email} can sign in now and has all permissions.\n`,
    });
    expect(runPanel(['pictures:move', '--to', 'disk'])).toEqual({ status: 1, said: expect.stringContaining('S3_ENDPOINT') });
    let traceText = '';
    const collector = createServer((request, response) => {
      request.setEncoding('utf8').on('data', (text: string) => (traceText += text));
      request.on('end', () => response.end('{}'));
    });
    const toCollector = `http://127.0.0.1:${await listen(collector, { host: '127.0.0.1', port: 0 })}`;
    const server = spawn(process.execPath, [join(panelFolder, 'panel.mjs')], {
      ...nobodyAccount,
      cwd: env['DATA_DIR'],
      env: { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: toCollector },
      stdio: 'pipe',
    });
    let outputText = '';
    for (const stream of [server.stdout, server.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (outputText += text));
    const processExit = new Promise((resolve) => server.once('exit', (code, signal) => resolve({ code, signal })));
    try {
      await waitUntil(() => {
        if (server.exitCode !== null) throw new Error(outputText);
        return runPanel(['healthcheck']).status === 0;
      });
      const origin = `http://127.0.0.1:${env['PORT']}`;
      const signedIn = await fetch(`${origin}/api/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(administratorAccount),
      });
      expect(signedIn.status).toBe(200);
      const page = await fetch(origin);
      expect([page.status, page.headers.get('x-build')]).toEqual([200, expect.any(String)]);
      expect(await (await fetch(`http://127.0.0.1:${env['METRICS_PORT']}/metrics`)).text()).toContain(
        'admin_panel_database_up 1\n',
      );
      await waitUntil(() => traceText.includes('session.signIn'));
    } finally {
      collector.close();
      server.kill('SIGTERM');
    }
    expect(await processExit).toEqual({ code: 0, signal: null });
  });

  test('verifies its audit, and includes the other programs', () => {
    expect(runPanel(['audit:verify'])).toEqual({ status: 0, said: expect.stringContaining('The audit is unchanged') });
    expect(runPanel(['authority:verify', '--help']).status).toBe(0);
    for (const outputPart of ['backup', 'restore'])
      expect(runPanel([outputPart, '--help'])).toEqual({ status: 0, said: expect.stringContaining(`${outputPart} FOLDER`) });
    expect(runPanel(['authority:init', '--help']).status).toBe(0);
    expect(runPanel(['signer'])).toEqual({ status: 1, said: 'signer: SIGNER_DATABASE_URL is required by the signer.\n' });
    expect(runPanel(['signer', '--grants', 'signer'])).toEqual({ status: 0, said: expect.stringContaining('TO signer;') });
    expect(runPanel(['nothing']).status).toBe(2);
  });
});
