// npm run lists: generates the lists that name every feature. --check fails if one is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'oxfmt';
import { generateLists } from './lists/all.ts';
import { sourcesOf } from './lists/features.ts';
import { exitWithError, root, SetupError } from './setup.mjs';

try {
  const sources = sourcesOf(root);
  const isCheck = process.argv.includes('--check');
  const style = JSON.parse(readFileSync(join(root, '.oxfmtrc.json'), 'utf8')) as Parameters<typeof format>[2];
  const changedPaths: string[] = [];
  for (const [path, text] of await generateLists(sources)) {
    const { code, errors } = await format(path, text, style);
    if (errors.length > 0) throw new Error(`${path}: ${errors.map(({ message }) => message).join('; ')}`);
    if (sources.has(path) && sources.read(path) === code) continue;
    changedPaths.push(path);
    if (!isCheck) writeFileSync(join(root, path), code);
  }
  if (isCheck && changedPaths.length > 0)
    throw new SetupError(
      `${changedPaths.join(', ')} ${changedPaths.length === 1 ? 'is' : 'are'} out of date. Run npm run lists.`,
    );
  console.log(changedPaths.length > 0 ? `Updated: ${changedPaths.join(', ')}.` : 'The lists are up to date.');
} catch (error) {
  exitWithError(error);
}
