// npm run -s command -- <command> …
import { pathToFileURL } from 'node:url';
import { commandBundle, ensureBuild, ensurePackages, exitWithError } from '../setup.mjs';

try {
  // Setup messages must not mix with the result on stdout.
  const { log } = console;
  console.log = console.error;
  await ensurePackages();
  await ensureBuild(['server']);
  console.log = log;
  await import(pathToFileURL(commandBundle).href);
} catch (error) {
  exitWithError(error);
}
