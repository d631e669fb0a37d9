// npm run build: panel and server, or what is named of them
import { build, checkNode, ensurePackages, exitWithError } from './setup.mjs';

try {
  checkNode();
  await ensurePackages();
  const buildNames = process.argv.slice(2);
  for (const name of buildNames.length > 0 ? buildNames : ['panel', 'server']) await build(name, { show: true });
} catch (error) {
  exitWithError(error);
}
