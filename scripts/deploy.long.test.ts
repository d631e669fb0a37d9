import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { root } from './setup.mjs';
import { requireProgram } from './suite/debian.mjs';

const deploy = join(root, 'docs/deploy');
const folder = join(deploy, 'systemd');

beforeAll(async () => {
  await requireProgram('systemd-analyze', 'systemd');
  await requireProgram('docker-compose');
}, 300_000);

const units = readdirSync(folder).filter((name) => name.endsWith('.service'));

test.each(units)('systemd accepts %s and finds it hardened', { timeout: 60_000 }, (unit) => {
  // systemd verifies a template only as an instance.
  const named = unit.replace('@.', '@1.');
  const beside = mkdtempSync(join(tmpdir(), 'units-'));
  cpSync(join(folder, unit), join(beside, named));
  const analyze = (...args: string[]) => spawnSync('systemd-analyze', [...args, join(beside, named)], { encoding: 'utf8' });
  const { status, stderr } = analyze('verify', '--man=no');
  // Node may be missing on this machine.
  expect([status, stderr.split('\n').filter((line) => line.includes(named) && !line.includes('is not executable'))]).toEqual([
    0,
    [],
  ]);
  expect(analyze('security', '--offline=true', '--threshold=20').status).toBe(0); // 100 is a unit without hardening
  rmSync(beside, { recursive: true });
});

test.each([['compose.yaml'], ['compose.signer.yaml'], ['compose.yaml', 'compose.signer.yaml']])(
  'docker-compose accepts %s %s',
  { timeout: 60_000 },
  (...names) => {
    const beside = mkdtempSync(join(tmpdir(), 'compose-'));
    const provided = names.filter((name) => name !== undefined);
    for (const name of provided) {
      cpSync(join(deploy, name), join(beside, name));
      writeFileSync(join(beside, name === 'compose.yaml' ? 'panel.env' : 'signer.env'), '');
    }
    const { status, stdout, stderr } = spawnSync('docker-compose', [...provided.flatMap((name) => ['-f', name]), 'config'], {
      cwd: beside,
      encoding: 'utf8',
    });
    rmSync(beside, { recursive: true });
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.match(/^ {4}read_only: true$/gm)).toHaveLength(provided.length);
  },
);

describe('admin-panel-run', () => {
  const requested = (part: string, files: readonly string[]) => {
    const beside = mkdtempSync(join(tmpdir(), 'run-'));
    const script = readFileSync(join(folder, 'admin-panel-run'), 'utf8')
      .replace('etc=/etc/admin-panel', `etc=${beside}`)
      .replace('data=/var/lib/admin-panel', `data=${beside}`);
    for (const name of files) writeFileSync(join(beside, name), '');
    writeFileSync(join(beside, 'systemd-run'), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 });
    const { status, stdout } = spawnSync('/bin/sh', ['-c', script, 'admin-panel-run', part], {
      encoding: 'utf8',
      env: { PATH: `${beside}:/usr/bin:/bin` },
    });
    rmSync(beside, { recursive: true });
    expect(status).toBe(0);
    return stdout.replaceAll(beside, '').split('\n');
  };
  const asServer = ['User=admin-panel', 'StateDirectory=admin-panel', 'LoadCredential=database-url:/database-url'];

  test.each(['migrate', 'backup', 'restore', 'audit:verify'])('keeps the owner’s URL from the server’s user in %s', (part) => {
    const provided = requested(part, ['owner-database-url']);
    expect(provided).toEqual(expect.arrayContaining(['User=root', 'LoadCredential=database-url:/owner-database-url']));
    // systemd-run keeps only the last of a repeated property.
    expect(provided.filter((value) => value.startsWith('CapabilityBoundingSet='))).toEqual([
      'CapabilityBoundingSet=CAP_DAC_OVERRIDE CAP_CHOWN CAP_FOWNER',
    ]);
    for (const own of asServer) expect(provided).not.toContain(own);
    expect(requested(part, [])).toEqual(expect.arrayContaining(asServer));
  });

  test('runs doctor as the server’s user even if an owner’s URL is set', () => {
    expect(requested('doctor', ['owner-database-url'])).toEqual(expect.arrayContaining(asServer));
  });
});
