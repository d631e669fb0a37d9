import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { committedContract } from '../commands.ts';
import { changesOf, isBreaking, type InterfaceChange } from './changes.ts';
import type { Contract } from './contract.ts';

// npm run contract -- [--against <commit or commands.json>] [--specs <folder>]…
// Lists breaking changes of docs/commands.json with the lines that use them. Fails if the version does not announce them.

const { values } = parseArgs({
  options: {
    against: { type: 'string', default: 'HEAD' },
    specs: { type: 'string', multiple: true, default: ['e2e'] },
  },
});

const text = existsSync(values.against) ? readFileSync(values.against, 'utf8') : committedAt(values.against);
const previousContract = JSON.parse(text) as Contract;
const currentContract = committedContract();

const sources = values.specs.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(ts|js|mjs|jsonl|sh)$/.test(path) && !/(^|\/)(node_modules|dist|kit)\//.test(path))
    .map((path) => ({ path: join(folder, path), lines: readFileSync(join(folder, path), 'utf8').split('\n') })),
);

function committedAt(commit: string): string {
  try {
    return execFileSync('git', ['show', `${commit}:docs/commands.json`], { encoding: 'utf8', maxBuffer: 1e8, stdio: 'pipe' });
  } catch {
    console.error(`--against ${commit} must be a file or a commit that contains docs/commands.json`);
    process.exit(2);
  }
}

/** As `file:line`. */
function usagesOf({ of }: InterfaceChange): string[] {
  const usagePattern = of.startsWith('read ')
    ? new RegExp(`read\\(['"\`]${of.slice(5)}['"\`]`)
    : new RegExp(`(^|['"\`\\s])${of.replace('.', '\\.')}(['"\`\\s]|$)`);
  return sources.flatMap(({ path, lines }) =>
    lines.flatMap((line, index) => (usagePattern.test(line) ? [`${path}:${index + 1}`] : [])),
  );
}

const changes = changesOf(previousContract, currentContract);
for (const change of changes) {
  const users = change.breaks ? usagesOf(change) : [];
  console.log(`${change.breaks ? '✗' : '·'} ${change.of} ${change.text}`);
  for (const user of users) console.log(`    ${user}`);
  if (change.breaks && users.length === 0) console.log(`    not used in ${values.specs.join(', ')}`);
}
const breakingCount = changes.filter(({ breaks }) => breaks).length;
console.log(
  `${changes.length} changes from ${previousContract.version} to ${currentContract.version}, ${breakingCount} of them breaking.`,
);
if (breakingCount > 0 && !isBreaking(previousContract.version, currentContract.version)) {
  console.log(
    'The version doesn’t show the breaking changes. Raise it in package.json and qa/kit/package.json, then run npm run commands.',
  );
  process.exitCode = 1;
}
