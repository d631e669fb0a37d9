// npm run build: panel and server, or what is named of them
import { build, checkNode, ensurePackages, exitWithError } from './setup.mjs';

try {
  checkNode();
  await ensurePackages();
  const named = process.argv.slice(2);
  for (const name of named.length > 0 ? named : ['panel', 'server']) await build(name, { show: true });
} catch (error) {
  exitWithError(error);
}
