import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Package {
  integrity?: string;
  resolved?: string;
  inBundle?: boolean;
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Package> };
const installedPackages = Object.entries(packages).filter(([path]) => path !== '');

test('every package in the lockfile has a SHA-512 hash or is bundled in one that has', () => {
  const packagesWithoutHash = installedPackages.filter(
    ([, { integrity, inBundle }]) => !inBundle && !integrity?.startsWith('sha512-'),
  );
  expect(packagesWithoutHash.map(([path]) => path)).toEqual([]);
});

test('the lockfile names no registry', () => {
  expect(installedPackages.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
});
