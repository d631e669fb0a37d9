import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { root } from './setup.mjs';
import { requireProgram } from './suite/debian.mjs';

const deployFolder = join(root, 'docs/deploy');
const folder = join(deployFolder, 'systemd');

beforeAll(async () => {
  await requireProgram('systemd-analyze', 'systemd');
  await requireProgram('docker-compose');
}, 300_000);

const units = readdirSync(folder).filter((name) => name.endsWith('.service'));

test.each(units)('systemd accepts %s and finds it hardened', { timeout: 60_000 }, (unit) => {
  // systemd verifies a template only as an instance.
  const unitFile = unit.replace('@.', '@1.');
  const copyFolder = mkdtempSync(join(tmpdir(), 'units-'));
  cpSync(join(folder, unit), join(copyFolder, unitFile));
  const analyze = (...args: string[]) =>
    spawnSync('systemd-analyze', [...args, join(copyFolder, unitFile)], { encoding: 'utf8' });
  const { status, stderr } = analyze('verify', '--man=no');
  // Node may be missing on this machine.
  expect([status, stderr.split('\n').filter((line) => line.includes(unitFile) && !line.includes('is not executable'))]).toEqual([
    0,
    [],
  ]);
  expect(analyze('security', '--offline=true', '--threshold=20').status).toBe(0); // 100 is a unit without hardening
  rmSync(copyFolder, { recursive: true });
});

test.each([['compose.yaml'], ['compose.signer.yaml'], ['compose.yaml', 'compose.signer.yaml']])(
  'docker-compose accepts %s %s',
  { timeout: 60_000 },
  (...names) => {
    const copyFolder = mkdtempSync(join(tmpdir(), 'compose-'));
    const configNames = names.filter((name) => name !== undefined);
    for (const name of configNames) {
      cpSync(join(deployFolder, name), join(copyFolder, name));
      writeFileSync(join(copyFolder, name === 'compose.yaml' ? 'panel.env' : 'signer.env'), '');
    }
    const { status, stdout, stderr } = spawnSync('docker-compose', [...configNames.flatMap((name) => ['-f', name]), 'config'], {
      cwd: copyFolder,
      encoding: 'utf8',
    });
    rmSync(copyFolder, { recursive: true });
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.match(/^ {4}read_only: true$/gm)).toHaveLength(configNames.length);
  },
);

describe('admin-panel-run', () => {
  const systemdArgumentsOf = (part: string, files: readonly string[]) => {
    const copyFolder = mkdtempSync(join(tmpdir(), 'run-'));
    const script = readFileSync(join(folder, 'admin-panel-run'), 'utf8')
      .replace('etc=/etc/admin-panel', `etc=${copyFolder}`)
      .replace('data=/var/lib/admin-panel', `data=${copyFolder}`);
    for (const name of files) writeFileSync(join(copyFolder, name), '');
    writeFileSync(join(copyFolder, 'systemd-run'), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 });
    const { status, stdout } = spawnSync('/bin/sh', ['-c', script, 'admin-panel-run', part], {
      encoding: 'utf8',
      env: { PATH: `${copyFolder}:/usr/bin:/bin` },
    });
    rmSync(copyFolder, { recursive: true });
    expect(status).toBe(0);
    return stdout.replaceAll(copyFolder, '').split('\n');
  };
  const serverArguments = ['User=admin-panel', 'StateDirectory=admin-panel', 'LoadCredential=database-url:/database-url'];

  test.each(['migrate', 'backup', 'restore', 'audit:verify'])('keeps the owner’s URL from the server’s user in %s', (part) => {
    const systemdArguments = systemdArgumentsOf(part, ['owner-database-url']);
    expect(systemdArguments).toEqual(expect.arrayContaining(['User=root', 'LoadCredential=database-url:/owner-database-url']));
    // systemd-run keeps only the last of a repeated property.
    expect(systemdArguments.filter((value) => value.startsWith('CapabilityBoundingSet='))).toEqual([
      'CapabilityBoundingSet=CAP_DAC_OVERRIDE CAP_CHOWN CAP_FOWNER',
    ]);
    for (const serverArgument of serverArguments) expect(systemdArguments).not.toContain(serverArgument);
    expect(systemdArgumentsOf(part, [])).toEqual(expect.arrayContaining(serverArguments));
  });

  test('runs doctor as the server’s user even if an owner’s URL is set', () => {
    expect(systemdArgumentsOf('doctor', ['owner-database-url'])).toEqual(expect.arrayContaining(serverArguments));
  });
});
