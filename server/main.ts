import { setFlagsFromString } from 'node:v8';
import { readConfig, ConfigError, type Config } from './platform/core/config.ts';
import { createLog, type Log } from './platform/core/log.ts';
import { printable } from './platform/core/redact.ts';
import { StartError } from './platform/core/start-error.ts';
import { demoAccounts, demoPassword, qaAccount } from './seed/roles.ts';
import { serve, type RunningServer } from './serve.ts';

// V8 lets a heap grow to several times what it holds before it collects, which an export of many rows does. Half as much again is
// enough, and no answer was slower for it.
setFlagsFromString('--heap-growing-percent=50');
// What is made where much has lived long before, V8 makes among what is old at once: the arrays of the rows that are read, which keep
// every text in them from being collected while it is young. A list's answer costs the server a quarter less without.
setFlagsFromString('--no-allocation-site-pretenuring');

/** The panel's server as a process: says where it is, and stops at Ctrl-C, SIGTERM or the end of whoever drives it. */
async function main(): Promise<void> {
  let log: Log | null = null;
  try {
    const config = readConfig();
    log = createLog({ level: config.logLevel, readable: !config.production });
    const starting = serve({ config, log });
    stopOnSignal(starting);
    announce(await starting);
  } catch (error) {
    if (error instanceof StartError || error instanceof ConfigError) console.error(error.message);
    else console.error(printable(error));
    process.exitCode = 1;
    // What a failed start left in the event loop keeps nobody waiting.
    log?.flush();
    process.exit();
  }
}

function announce({ config, origin }: RunningServer): void {
  // Started again after a change (npm run dev): everything was said before.
  if (!process.argv.includes('--again')) console.log(greeting(config));
  process.send?.({ origin }, undefined, undefined, () => {}); // whoever is gone by now hears nothing
}

function greeting({ publicUrl, production, demo, demoNews }: Config): string {
  const lines = ['', `  Admin Panel   ${publicUrl}`, ''];
  if (demo) {
    const shown = demoNews ? [...demoAccounts, qaAccount] : demoAccounts;
    const width = Math.max(...shown.map(({ email }) => email.length));
    lines.push(`  Demo accounts (password: ${demoPassword})`);
    lines.push(...shown.map(({ email, role }) => `    ${email.padEnd(width)}  ${role}`), '');
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

function stopOnSignal(starting: Promise<RunningServer>): void {
  let stopping = false;
  const stop = () => {
    // A second Ctrl-C means now; PostgreSQL still shuts down in order, by itself.
    if (stopping) process.exit(1);
    stopping = true;
    void starting
      .then((server) => server.stop())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(printable(error));
          process.exit(1);
        },
      );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  process.on('SIGHUP', stop);
  if (process.connected === false) stop(); // gone before this was heard
  else process.on('disconnect', stop);
}

await main();
