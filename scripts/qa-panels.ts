// npm run qa -- 4 [--at 2030-01-01T08:00:00Z]: one test environment per worker (qa/kit/README.md).
import { parseArgs } from 'node:util';
import { demoAccounts, demoPassword, qaAccount } from '../server/seed/roles.ts';
import { startPanels } from './qa/panels.ts';
import { ensureBuild, exitWithError, SetupError } from './setup.mjs';

try {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { at: { type: 'string' } } });
  const [count = '1'] = positionals;
  if (!/^([1-9]|1\d)$/.test(count)) throw new SetupError('Give the number of panels (1 to 19): npm run qa -- 4');
  const startTime = values.at === undefined ? undefined : new Date(values.at);
  if (startTime && !(startTime.getTime() > Date.now()))
    throw new SetupError('--at is a moment to come: a clock goes forward alone.');
  await ensureBuild();
  const { urls, stop } = await startPanels(Number(count), { at: startTime });
  console.log(`export PANEL_URL=${urls.join(',')}`);
  console.log(`export PANEL_EMAIL=${qaAccount.email} PANEL_PASSWORD=${demoPassword}`);
  console.log(`# also ${demoAccounts.map(({ email }) => email).join(', ')}. Press Ctrl-C to stop`);
  const stopAndExit = () => void stop().then(() => process.exit(0), exitWithError);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stopAndExit);
} catch (error) {
  exitWithError(error);
}
