import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { messageProblems } from '../hooks/commit-message.mjs';
import { root } from '../setup.mjs';

/** Later commits follow the rules. The time is for a shallow clone, which may lack this commit. */
const baseCommit = { id: 'b016474747420706e50b38625c6e9196410c6166', time: '2026-11-28T14:46:24Z' };

const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });

const hasGit = existsSync(join(root, '.git')) && git('rev-parse', 'HEAD').status === 0;
const hasBaseCommit = hasGit && git('merge-base', '--is-ancestor', baseCommit.id, 'HEAD').status === 0;
const range = hasBaseCommit ? [`${baseCommit.id}..HEAD`] : [`--since=${baseCommit.time}`, 'HEAD'];
const commits = hasGit
  ? git('log', '-z', '--no-merges', '--format=%h%n%B', ...range)
      .stdout.split('\0')
      .filter(Boolean)
      .map((text) => ({ id: text.slice(0, text.indexOf('\n')), message: text.slice(text.indexOf('\n') + 1) }))
  : [];

const checkedSummary = !hasGit
  ? 'no repository here, so none checked'
  : `${commits.length} checked, after ${hasBaseCommit ? baseCommit.id.slice(0, 8) : `${baseCommit.time}, because this clone lacks ${baseCommit.id.slice(0, 8)}`}`;

test(`commit messages have the form of docs/contributing.md (${checkedSummary})`, () => {
  const problems = commits.flatMap(({ id, message }) => messageProblems(message).map((problem) => `${id}: ${problem}`));
  expect(problems).toEqual([]);
});

const body = '\n\nOperators see which signature is missing.\n';

test.each([
  ['deposits: say Sign while signatures are missing', 'no body that says why'],
  ['deposits: say Sign\nwithout an empty line', 'second line'],
  [`Say Sign while signatures are missing${body}`, 'area: what'],
  [`deposits:${body}`, 'area: what'],
  [`Revert "deposits: say Sign"${body}`, 'area: what'],
  [`deposits: ${'x'.repeat(63)}${body}`, '73 characters'],
  ['deposits: say Sign\n\nSigned-off-by: A Person <a@example.com>\n', 'no body that says why'],
])('refuses the commit message %j', (message, problem) => {
  expect(messageProblems(message).join(', ')).toContain(problem);
});

test.each([
  `deposits: say Sign while signatures are missing${body}`,
  `README: rewrite in 600 words${body}`,
  `e2e, qa: move the kit${body}`,
  `src/lib: ${'说'.repeat(63)}${body}`,
])('accepts the commit message %j', (message) => {
  expect(messageProblems(message)).toEqual([]);
});
