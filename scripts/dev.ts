// npm run dev
import { fork, type ChildProcess } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import { createServer, type Plugin } from 'vite';
import { readConfig } from '../server/platform/core/config.ts';
import { describeSso } from '../server/platform/core/config/sso.ts';
import { startIdentityProvider } from '../testing/identity-provider/provider.ts';
import { startPostgres } from '../server/platform/db/postgres.ts';

const { port } = readConfig({ ...process.env, SSO_REQUIRED: 'off' }); // it needs the provider

// DEV_SSO=on: people of a test provider can sign in.
const provider =
  process.env['DEV_SSO'] === 'on'
    ? await startIdentityProvider({
        port: port + 2,
        clientId: 'panel',
        clientSecret: 'for-development-only',
        panelUrl: `http://localhost:${port}`,
        isControlled: false,
      })
    : null;
const providerEnv = provider && {
  SSO_ISSUER: provider.issuer,
  SSO_CLIENT_ID: 'panel',
  SSO_CLIENT_SECRET: 'for-development-only',
  SSO_NAME: 'Test provider',
};
if (provider) console.log(`Identity provider: ${provider.issuer}`);

const config = readConfig({ ...process.env, ...providerEnv });
const apiPort = config.port + 1;
// Excludes the sources in api/, which Vite serves as modules, and the screen /api/docs.
const apiPaths = [
  '/rpc',
  '^/api/(?!docs(?:[?#]|$))[^.]+(\\.json)?$',
  '/public',
  '/scim',
  '/pictures',
  '/dev',
  '/healthz',
  '/readyz',
];

// Outside the restarted process, so that a restart is quick.
const postgres = config.databaseUrl === null ? await startPostgres({ dataDir: config.dataDir, log: console.log }) : null;
const vite = await createServer({
  plugins: [ssoWay()],
  server: {
    port: config.port,
    strictPort: true,
    host: config.host,
    proxy: Object.fromEntries(apiPaths.map((path) => [path, `http://127.0.0.1:${apiPort}`])),
  },
});

/** The server writes it into the built page (http/static.ts). */
function ssoWay(): Plugin {
  const content = JSON.stringify(describeSso(config.sso));
  return {
    name: 'sso-way',
    transformIndexHtml: () => (config.sso ? [{ tag: 'meta', attrs: { name: 'sso', content }, injectTo: 'head' }] : []),
  };
}

let server: ChildProcess | null = null;
let isRestarting = false;
let isStopping = false;

function start(...options: string[]): ChildProcess {
  server = fork(new URL('../server/main.ts', import.meta.url), options, {
    execArgv: ['--import', 'tsx'],
    env: {
      ...process.env,
      PORT: String(apiPort),
      HOST: '127.0.0.1',
      PUBLIC_URL: process.env['PUBLIC_URL'] ?? `http://localhost:${config.port}`,
      ...(postgres && { DATABASE_URL: postgres.url }),
      ...providerEnv,
    },
  });
  server.once('exit', (code, signal) => {
    server = null;
    if (isStopping) return;
    if (isRestarting) start('--again');
    else console.log(`The server stopped (${signal ?? code}). It restarts when a file changes.`);
    isRestarting = false;
  });
  return server;
}

async function stop(code: number): Promise<never> {
  if (isStopping) process.exit(1);
  isStopping = true;
  const child = server;
  if (child) await new Promise((resolve) => child.once('exit', resolve).kill('SIGTERM'));
  await vite.close();
  provider?.close();
  await postgres?.stop();
  process.exit(code);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));

// Vite starts once the server responds.
const firstServer = start();
await new Promise((resolve) => firstServer.once('message', resolve).once('exit', resolve));
await vite.listen().catch(async (error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  await stop(1);
});

let timer: NodeJS.Timeout | undefined;
const folders = ['server', 'api', 'chain'].map((name) => new URL(`../${name}`, import.meta.url)).filter((url) => existsSync(url));
for (const folder of folders) {
  watch(folder, { recursive: true }, (_event, name) => {
    if (!name || !/\.(ts|sql|json)$/.test(name) || name.includes('.test.')) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!server) return start('--again');
      isRestarting = true;
      return server.kill('SIGTERM');
    }, 100);
  });
}
