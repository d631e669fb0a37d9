// npm pack in qa/kit
import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exitWithError, root, runBin, SetupError } from '../setup.mjs';

const dist = join(root, 'qa', 'kit', 'dist');

const binText = `#!/usr/bin/env node
import * as module from 'node:module';
module.enableCompileCache?.();
await import('./shell/main.js');
`;

try {
  await rm(dist, { recursive: true, force: true });
  for (const mode of ['qa-kit', 'qa-shell', 'qa-engine'])
    await step(`bundling ${mode}`, 'vite', ['build', '-c', 'vite.server.config.ts', '--logLevel', 'error', '--mode', mode]);
  await step('building types', 'typescript:tsc', ['-p', join('scripts', 'qa', 'kit.tsconfig.json')]);
  // The package has no sources.
  for (const name of (await readdir(dist)).filter((file) => file.endsWith('.d.ts'))) {
    const text = await readFile(join(dist, name), 'utf8');
    await writeFile(join(dist, name), text.replaceAll(/(from '|import\(")(\.\/[\w-]+)\.ts/g, '$1$2.js'));
  }
  await writeFile(join(dist, 'panel.js'), binText);
  await chmod(join(dist, 'panel.js'), 0o755);
} catch (error) {
  exitWithError(error);
}

async function step(name, tool, args) {
  const { code, output } = await runBin(tool, args);
  if (code !== 0) throw new SetupError(`${name} failed:\n${output}`);
}
