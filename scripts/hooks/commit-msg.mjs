import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageProblems } from './commit-message.mjs';

const [, , file = ''] = process.argv;
const message = readFileSync(file, 'utf8')
  .replace(/^# -+ >8 -+[^]*/m, '')
  .split('\n')
  .filter((line) => !line.startsWith('#'))
  .join('\n')
  .trim();
const isMerge = existsSync(join(dirname(file), 'MERGE_HEAD')) || message.startsWith('Merge ');
// Git refuses an empty message, and a fixup gets the message of the commit that it changes.
const problems = message === '' || isMerge || /^(?:fixup|squash|amend)! /.test(message) ? [] : messageProblems(message);
if (problems.length > 0) {
  console.error(`Commit message: ${problems.join(', ')}. See docs/contributing.md. Your text is in ${file}.`);
  process.exit(1);
}
