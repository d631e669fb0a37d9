// npm run -s command -- <command> …
import { pathToFileURL } from 'node:url';
import { commandBundle, ensureBuild, ensurePackages, fail } from '../setup.mjs';

try {
  // What is said of the set-up is for people: standard output is the command's answer alone.
  const { log } = console;
  console.log = console.error;
  await ensurePackages();
  await ensureBuild(['server']);
  console.log = log;
  await import(pathToFileURL(commandBundle).href);
} catch (error) {
  fail(error);
}
