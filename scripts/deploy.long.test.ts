import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { root } from './setup.mjs';
import { need } from './suite/debian.mjs';

const folder = join(root, 'docs/deploy/systemd');

beforeAll(() => need('systemd-analyze', 'systemd'));

const units = readdirSync(folder).filter((name) => name.endsWith('.service'));

test.each(units)('systemd understands all of %s, and finds it locked down', (unit) => {
  const analyze = (...args: string[]) => spawnSync('systemd-analyze', [...args, join(folder, unit)], { encoding: 'utf8' });
  const { status, stderr } = analyze('verify', '--man=no');
  // Whether node is there is a matter of the machine.
  expect([status, stderr.split('\n').filter((line) => line.includes(unit) && !line.includes('is not executable'))]).toEqual([
    0,
    [],
  ]);
  expect(analyze('security', '--offline=true', '--threshold=20').status).toBe(0); // of 100, which is a unit that says nothing
});
