// Formats and lints what is staged. Formatting is staged too, except for files that are staged in part.
import { spawnSync } from 'node:child_process';
import { basename } from 'node:path';
import { exitWithError, root, runBin, print, SetupError } from '../setup.mjs';

try {
  const staged = listed('diff', '--cached', '--name-only', '--diff-filter=ACMR');
  if (staged.length > 0) {
    await format(staged);
    await lint(staged.filter((file) => /\.(ts|tsx|mjs|js)$/.test(file)));
  }
} catch (error) {
  exitWithError(error);
}

async function format(staged) {
  const edited = new Set(listed('diff', '--name-only'));
  // Git keeps the index of `git commit FILE` apart, so changes to it are lost.
  const isApart = basename(process.env.GIT_INDEX_FILE ?? '').startsWith('next-index');
  const whole = isApart ? [] : staged.filter((file) => !edited.has(file));
  const different = whole.length > 0 ? await differentFiles(whole) : [];
  if (different.length > 0) {
    const { code, output } = await runBin('oxfmt', different);
    if (code !== 0) throw new SetupError(output);
    git('add', '--', ...different);
    print(`Formatted ${different.join(', ')}`);
  }
  const parts = staged.filter((file) => !whole.includes(file)).filter((file) => !isFormatted(file));
  if (parts.length > 0)
    throw new SetupError(
      `These files are staged in part and are not formatted. Format and stage them: npx oxfmt ${parts.join(' ')}`,
    );
}

async function differentFiles(files) {
  const { output } = await runBin('oxfmt', ['--list-different', '--no-error-on-unmatched-pattern', ...files]);
  return output.split('\n').filter((line) => files.includes(line));
}

function isFormatted(file) {
  const content = git('show', `:${file}`);
  const args = ['node_modules/oxfmt/bin/oxfmt', '--stdin-filepath', file];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: root, input: content, encoding: 'utf8' });
  return status !== 0 || stdout === content; // oxfmt fails for files of unknown kinds
}

async function lint(files) {
  if (files.length === 0) return;
  const { code, output } = await runBin('oxlint', ['--deny-warnings', '--no-error-on-unmatched-pattern', ...files]);
  if (code !== 0) throw new SetupError(output);
}

function listed(...args) {
  return git(...args, '-z')
    .split('\0')
    .filter(Boolean);
}

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (status !== 0) throw new SetupError(stderr || `git ${args[0]} failed`);
  return stdout;
}
