import { setFlagsFromString } from 'node:v8';
import { readConfig, ConfigError, type Config } from './platform/core/config.ts';
import { createLogger, type Log } from './platform/core/log.ts';
import { escapeControls } from './platform/core/redact.ts';
import { StartError } from './platform/core/start-error.ts';
import { demoAccounts, demoPassword, qaAccount } from './seed/roles.ts';
import { serve, type RunningServer } from './serve.ts';

// V8 lets a heap grow several times before collecting. Half is enough, and no response was slower.
setFlagsFromString('--heap-growing-percent=50');
// Pretenuring keeps short-lived rows in the old generation. Without it a list costs a quarter less.
setFlagsFromString('--no-allocation-site-pretenuring');

/** Prints its URL. Stops at Ctrl-C, SIGTERM or the end of its parent. */
async function main(): Promise<void> {
  let log: Log | null = null;
  try {
    const config = readConfig();
    log = createLogger({ level: config.logLevel, readable: !config.production });
    const serverStart = serve({ config, log });
    stopOnSignal(serverStart);
    printAddresses(await serverStart);
  } catch (error) {
    if (error instanceof StartError || error instanceof ConfigError) console.error(error.message);
    else console.error(escapeControls(error));
    process.exitCode = 1;
    // A failed start may leave handles open.
    log?.flush();
    process.exit();
  }
}

function printAddresses({ config, origin }: RunningServer): void {
  // Restarted by npm run dev.
  if (!process.argv.includes('--again')) console.log(formatGreeting(config));
  process.send?.({ origin }, undefined, undefined, () => {}); // the parent may have exited
}

function formatGreeting({ publicUrl, production, demo, demoNews }: Config): string {
  const lines = ['', `  Admin Panel   ${publicUrl}`, ''];
  if (demo) {
    const shownAccounts = demoNews ? [...demoAccounts, qaAccount] : demoAccounts;
    const width = Math.max(...shownAccounts.map(({ email }) => email.length));
    lines.push(`  Demo accounts (password: ${demoPassword})`);
    lines.push(...shownAccounts.map(({ email, role }) => `    ${email.padEnd(width)}  ${role}`), '');
  }
  if (!demo && !production)
    lines.push(
      '  Demo accounts and demo data exist only with a loopback HOST and the built-in devnet.',
      '  Create an administrator: npm run admin:create',
      '',
    );
  lines.push('  Press Ctrl-C to stop.', '');
  return lines.join('\n');
}

function stopOnSignal(serverStart: Promise<RunningServer>): void {
  let isStopping = false;
  const stopServer = () => {
    // A second Ctrl-C exits immediately. PostgreSQL still shuts down cleanly.
    if (isStopping) process.exit(1);
    isStopping = true;
    void serverStart
      .then((server) => server.stop())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(escapeControls(error));
          process.exit(1);
        },
      );
  };
  process.on('SIGINT', stopServer);
  process.on('SIGTERM', stopServer);
  process.on('SIGHUP', stopServer);
  if (process.connected === false) stopServer(); // the parent exited before the listener
  else process.on('disconnect', stopServer);
}

await main();
