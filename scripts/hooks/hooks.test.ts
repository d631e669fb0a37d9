import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { root } from '../setup.mjs';

const folders: string[] = [];
let folder = '';

beforeEach(() => {
  folder = newFolder();
  for (const path of ['.githooks', '.oxfmtrc.json', '.oxlintrc.json', 'scripts/setup.mjs', 'scripts/hooks'])
    cpSync(join(root, path), join(folder, path), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeText('package.json', '{ "type": "module" }\n');
});

afterAll(() => {
  for (const createdFolder of folders) rmSync(createdFolder, { recursive: true, force: true });
});

function newFolder(): string {
  const newPath = mkdtempSync(join(tmpdir(), 'panel-hooks-'));
  folders.push(newPath);
  return newPath;
}

/** Of the caller only PATH: a hook that runs this test sets variables of Git. */
function run(command: string, args: readonly string[], env: Record<string, string> = {}, cwd = folder) {
  const hookEnv = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@example.com',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@example.com',
  };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', env: { ...hookEnv, ...env } });
  return { status, output: stdout + stderr, stdout };
}

const git = (...args: string[]) => run('git', args);
const writeText = (path: string, text: string) => writeFileSync(join(folder, path), text);
const readText = (path: string) => readFileSync(join(folder, path), 'utf8');
const install = (env: Record<string, string> = {}, cwd = folder) =>
  run(process.execPath, ['-e', `import('./scripts/hooks/install.mjs').then((hooks) => hooks.installHooks())`], env, cwd);
const hooksPath = () => git('config', '--local', '--get', 'core.hooksPath').stdout.trim();
const commit = (...extraArguments: string[]) =>
  git('commit', '-m', 'news: add a file', '-m', 'Editors need it.', ...extraArguments);

function initRepository() {
  git('init', '-q');
  install();
  expect(hooksPath()).toBe('.githooks');
}

test('hooks install themselves in a clone, and format and stage what is committed', () => {
  initRepository();
  writeText('a.ts', 'export const a = {b:"c"}\n');
  git('add', 'a.ts');
  const { status, output } = commit();
  expect({ status, output }).toMatchObject({ status: 0, output: expect.stringContaining('Formatted a.ts') });
  expect(readText('a.ts')).toBe("export const a = { b: 'c' };\n");
  expect(git('show', 'HEAD:a.ts').stdout).toBe(readText('a.ts'));
  expect(git('status', '--porcelain', 'a.ts').stdout).toBe('');
});

test('the hook refuses a commit with a lint error', () => {
  initRepository();
  writeText('a.ts', 'export const a: any = 1;\n');
  git('add', 'a.ts');
  const { status, output } = commit();
  expect(status).toBe(1);
  expect(output).toContain('no-explicit-any');
});

test('the hook refuses unformatted text in a file that is staged in part, and leaves both versions', () => {
  initRepository();
  writeText('a.ts', 'export const a = {b:"c"}\n');
  git('add', 'a.ts');
  writeText('a.ts', 'export const a = {b:"d"}\n');
  const { status, output } = commit();
  expect(status).toBe(1);
  expect(output).toContain('npx oxfmt a.ts');
  expect(readText('a.ts')).toContain('"d"');
  expect(git('show', ':a.ts').stdout).toContain('"c"');
});

test('the hook refuses unformatted text when a commit names its files, because Git keeps that index apart', () => {
  initRepository();
  writeText('a.ts', 'export const a = 1;\n');
  git('add', 'a.ts');
  expect(commit().status).toBe(0);
  writeText('a.ts', 'export const a = {b:"c"}\n');
  expect(commit('a.ts').status).toBe(1);
  expect(commit('-a').status).toBe(0);
  expect(git('show', 'HEAD:a.ts').stdout).toBe("export const a = { b: 'c' };\n");
  expect(git('status', '--porcelain', 'a.ts').stdout).toBe('');
});

test('the hook commits pictures, removed files and names with spaces', () => {
  initRepository();
  writeText('a b.json', '{"a":1}\n');
  writeText('picture.png', '\u0000\u0001');
  git('add', 'a b.json', 'picture.png');
  expect(commit()).toMatchObject({ status: 0 });
  expect(readText('a b.json')).toBe('{ "a": 1 }\n');
  git('rm', '-q', 'a b.json');
  expect(commit()).toMatchObject({ status: 0 });
});

test('the hook refuses a message that has no body, and accepts merges and fixups', () => {
  initRepository();
  writeText('a.ts', 'export const a = 1;\n');
  git('add', 'a.ts');
  expect(git('commit', '-m', 'news: add a file')).toMatchObject({ status: 1, output: expect.stringContaining('no body') });
  expect(commit().status).toBe(0);
  expect(git('commit', '--allow-empty', '--fixup', 'HEAD').status).toBe(0);
  git('checkout', '-q', '-b', 'other', 'HEAD~1');
  expect(commit('--allow-empty').status).toBe(0);
  expect(git('merge', '--no-ff', '-m', "Merge branch 'main'", '@{-1}').status).toBe(0);
});

test.each([
  ['--no-verify', ['--no-verify'], {}],
  ['SKIP_HOOKS=1', [], { SKIP_HOOKS: '1' }],
])('%s skips the hooks', (_, flags, env: Record<string, string>) => {
  initRepository();
  writeText('a.ts', 'export const a = {b:"c"}\n');
  git('add', 'a.ts');
  expect(run('git', ['commit', '-m', 'anything', ...flags], env).status).toBe(0);
  expect(git('show', 'HEAD:a.ts').stdout).toContain('"c"');
});

test('a commit without installed packages is neither formatted nor refused', () => {
  initRepository();
  rmSync(join(folder, 'node_modules'));
  writeText('a.ts', 'export const a = {b:"c"}\n');
  git('add', 'a.ts');
  expect(commit()).toMatchObject({ status: 0, output: expect.stringContaining('Packages are not installed') });
});

test('hooks work in a worktree', () => {
  initRepository();
  git('add', '.githooks', 'scripts', '.oxfmtrc.json', '.oxlintrc.json', 'package.json');
  expect(commit().status).toBe(0);
  const treeFolder = join(newFolder(), 'tree');
  expect(git('worktree', 'add', '-q', treeFolder).status).toBe(0);
  symlinkSync(join(root, 'node_modules'), join(treeFolder, 'node_modules'));
  writeFileSync(join(treeFolder, 'a.ts'), 'export const a = {b:"c"}\n');
  run('git', ['add', 'a.ts'], {}, treeFolder);
  expect(run('git', ['commit', '-m', 'news: add a file', '-m', 'Editors need it.'], {}, treeFolder).status).toBe(0);
  expect(readFileSync(join(treeFolder, 'a.ts'), 'utf8')).toBe("export const a = { b: 'c' };\n");
});

test('hooks are not installed in a tarball, even inside the repository of another project', () => {
  git('init', '-q');
  const innerFolder = join(folder, 'inner');
  mkdirSync(innerFolder);
  cpSync(join(root, 'scripts/hooks'), join(innerFolder, 'scripts/hooks'), { recursive: true });
  expect(install({}, innerFolder)).toMatchObject({ status: 0, output: '' });
  expect(hooksPath()).toBe('');
});

test.each([{ CI: 'true' }, { SKIP_HOOKS: '1' }])('hooks are not installed with %j', (env: Record<string, string>) => {
  git('init', '-q');
  expect(install(env).status).toBe(0);
  expect(hooksPath()).toBe('');
});

test('hooks that a developer has are kept', () => {
  git('init', '-q');
  git('config', 'core.hooksPath', 'mine');
  install();
  expect(hooksPath()).toBe('mine');
  git('config', '--unset', 'core.hooksPath');
  writeText('.git/hooks/pre-push', '#!/bin/sh\n');
  install();
  expect(hooksPath()).toBe('');
});

test('a read-only repository and a missing Git do not fail the installation', () => {
  git('init', '-q');
  writeText('.git/config.lock', ''); // root may write to read-only folders
  chmodSync(join(folder, '.git'), 0o500);
  expect(install()).toMatchObject({ status: 0, output: '' });
  expect(hooksPath()).toBe('');
  expect(install({ PATH: '/none' })).toMatchObject({ status: 0, output: '' });
});
