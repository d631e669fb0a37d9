// Formats and lints what is staged. Formatting is staged too, except for files that are staged in part.
import { spawnSync } from 'node:child_process';
import { basename } from 'node:path';
import { exitWithError, root, runBin, print, SetupError } from '../setup.mjs';

try {
  const stagedFiles = listFiles('diff', '--cached', '--name-only', '--diff-filter=ACMR');
  if (stagedFiles.length > 0) {
    await format(stagedFiles);
    await lint(stagedFiles.filter((file) => /\.(ts|tsx|mjs|js)$/.test(file)));
  }
} catch (error) {
  exitWithError(error);
}

async function format(stagedFiles) {
  const editedFiles = new Set(listFiles('diff', '--name-only'));
  // Git keeps the index of `git commit FILE` apart, so changes to it are lost.
  const isPartialCommit = basename(process.env.GIT_INDEX_FILE ?? '').startsWith('next-index');
  const wholeFiles = isPartialCommit ? [] : stagedFiles.filter((file) => !editedFiles.has(file));
  const unformattedFiles = wholeFiles.length > 0 ? await findUnformatted(wholeFiles) : [];
  if (unformattedFiles.length > 0) {
    const { code, output } = await runBin('oxfmt', unformattedFiles);
    if (code !== 0) throw new SetupError(output);
    git('add', '--', ...unformattedFiles);
    print(`Formatted ${unformattedFiles.join(', ')}`);
  }
  const partlyStagedFiles = stagedFiles.filter((file) => !wholeFiles.includes(file)).filter((file) => !isFormatted(file));
  if (partlyStagedFiles.length > 0)
    throw new SetupError(
      `These files are staged in part and are not formatted. Format and stage them: npx oxfmt ${partlyStagedFiles.join(' ')}`,
    );
}

async function findUnformatted(files) {
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

function listFiles(...args) {
  return git(...args, '-z')
    .split('\0')
    .filter(Boolean);
}

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (status !== 0) throw new SetupError(stderr || `git ${args[0]} failed`);
  return stdout;
}
