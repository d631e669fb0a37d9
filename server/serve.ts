import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createAdaptorServer } from '@hono/node-server';
import { eq } from 'drizzle-orm';
import { createApp } from './app.ts';
import { environmentOf, isDemoDatabase } from './dev/qa-environment.ts';
import { openEnvironmentState } from './dev/qa-environment-state.ts';
import { AnvilMissingError } from '../chain/anvil.ts';
import type { Config, EvmConfig } from './platform/core/config.ts';
import { openDatabase, type Database } from './platform/db/db.ts';
import { authorityLines } from './authority/tables.ts';
import { startSignerChild } from './signer/child.ts';
import { demoWalletUrl } from './dev/wallet.ts';
import { clockUrl } from './dev/qa-tools.ts';
import { connectionsPerAddress, limitServer, serverOptions, type Http } from './platform/http/http.ts';
import { listen, originOf } from './platform/http/listen.ts';
import type { Log } from './platform/core/log.ts';
import type { Meter } from './platform/core/meter.ts';
import type { Peer } from './platform/http/network.ts';
import { connectionProblem } from './platform/db/connection-problem.ts';
import { startPostgres } from './platform/db/postgres.ts';
import { fileProblem } from './platform/core/start-error.ts';
import { closeServer, respondWhileStarting } from './socket.ts';
import { buildOf, createStatic } from './platform/http/static.ts';

export interface RunningServer {
  readonly origin: string;
  readonly config: Config;
  readonly databaseUrl: string;
  /** Answers running requests first. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL if none is configured, the database, application and socket. Throws StartError and leaves nothing running.
 */
export async function serve({ config: provided, log }: { config: Config; log: Log }): Promise<RunningServer> {
  const started: (() => Promise<void> | void)[] = [];
  const stop = async () => {
    for (const end of started.splice(0).reverse()) await end();
  };
  try {
    let databaseUrl = provided.databaseUrl;
    if (databaseUrl === null) {
      const postgres = await startPostgres({ dataDir: provided.dataDir, log: (message) => log.warn(message) });
      started.push(postgres.stop);
      databaseUrl = postgres.url;
    }
    const url = databaseUrl;

    // Before the application, so that a taken port fails immediately and port 0 is known.
    let fetch = (_request: Request, _peer?: Peer): Promise<Response> => Promise.reject(new Error('not yet'));
    const socket = createAdaptorServer({
      fetch: (request, env) => fetch(request, env),
      hostname: 'localhost', // HTTP/1.0 health checks have no host
      serverOptions,
    }) as Server;
    limitServer(socket, provided.trustProxy === 0 ? connectionsPerAddress : null);
    const root = provided.panelDir ?? fileURLToPath(new URL('../dist', import.meta.url));
    const build = buildOf(root);
    let isReady = (_app: Http) => {};
    const wait = () => {
      const ready = new Promise<Http>((resolve) => (isReady = resolve));
      fetch = (request, peer) => respondWhileStarting({ ready, build }, request, peer);
    };
    wait();
    const port = await listen(socket, provided);
    let closed: Promise<void> | null = null;
    const refuse = () => (closed ??= closeServer(socket));
    started.push(async () => {
      const all = refuse();
      socket.closeIdleConnections();
      setTimeout(() => socket.closeAllConnections(), 500).unref(); // hanging requests have had ten seconds
      await all;
    });

    /** What a reset of a test environment restarts. */
    const open: (() => Promise<void> | void)[] = [];
    let isPaused = false;
    const shut = async () => {
      for (const end of open.splice(0).reverse()) await end();
    };
    started.push(shut);
    const state = provided.qaTools ? openEnvironmentState(provided.dataDir) : null;
    const placed = provided.port === 0 ? atPort(provided, port) : provided;
    const begin = async (): Promise<Config> => {
      const database = openDatabase({
        url,
        directUrl: provided.databaseDirectUrl,
        readUrl: provided.databaseReadUrl,
        statisticsUrl: provided.statisticsDatabaseUrl,
        log,
        connections: provided.databaseConnections,
      });
      open.push(database.close);
      state?.takeUp((await isDemoDatabase(url)) === false);
      const evm = provided.devnet ? await openDevnet(provided, log, open) : provided.evm;
      const letChainFollow = async () => {
        if (!provided.devnet || !evm || !state?.aheadMs()) return;
        const { letTimePass } = await import('../chain/devnet.ts');
        await letTimePass(evm.urls[0], state.now());
      };
      await letChainFollow();
      const config = { ...placed, evm };
      const meter = await openTraces(config, log, await openMetrics({ config, log, database, build }, open), open);
      const app = await createApp({
        config,
        log,
        database,
        files: createStatic({ root, script: demoWalletUrl(config), firstScript: state ? clockUrl : null }),
        build,
        meter,
        ...(state && {
          now: state.now,
          isUnlimited: state.isUnlimited,
          environment: environmentOf({ config, databaseUrl: url, log, state, follow, pause }),
        }),
      }).catch((error: unknown) => {
        throw connectionProblem(error, url) ?? error;
      });
      fetch = app.fetch;
      isReady(app);
      open.push(async () => {
        if (isPaused) return app.stop();
        await app.drain();
        // Sends new clients to another server and serves the existing ones.
        await Promise.race([refuse(), sleep(config.drainMs > 0 ? lastCallMs : 0)]);
        await app.stop();
      });
      const beginSigner = () =>
        openSigner({ config, databaseUrl: config.databaseDirectUrl ?? url, database, log, aheadMs: state?.aheadMs() ?? 0 });
      let stopSigner = await beginSigner();
      open.push(async () => stopSigner?.());
      async function follow() {
        await letChainFollow();
        await stopSigner?.();
        stopSigner = await beginSigner();
      }
      return config;
    };
    /** Requests wait for the end. */
    const pause = async (work: () => Promise<void>) => {
      isPaused = true;
      wait();
      await shut();
      await work();
      await begin();
      isPaused = false;
    };
    const config = await begin();
    return {
      origin: originOf(config.host, port),
      config,
      databaseUrl,
      stop,
    };
  } catch (error) {
    await stop();
    throw fileProblem(error) ?? error;
  }
}

/** How long existing connections can send requests while draining. */
const lastCallMs = 2_000;

/** Loaded only if a port is set. */
async function openMetrics(
  { config: { metrics, evm }, log, database, build }: { config: Config; log: Log; database: Database; build: string | null },
  started: (() => Promise<void> | void)[],
): Promise<Meter | undefined> {
  if (metrics === null) return undefined;
  const { createMetrics, serveMetrics } = await import('./metrics/serve.ts');
  const { meter, registry } = createMetrics({ database, evm, build });
  const { url, stop } = await serveMetrics(registry, metrics);
  started.push(stop);
  log.info({ url }, 'metrics available');
  return meter;
}

/** Loaded only if a collector is set. The meter adds routes to spans. */
async function openTraces({ traces }: Config, log: Log, meter: Meter | undefined, started: (() => Promise<void> | void)[]) {
  if (traces === null) return meter;
  const { startTracing } = await import('./tracing/watch.ts');
  const { named, stop } = startTracing({ ...traces, log });
  started.push(stop);
  return named(meter);
}

/** Runs the signer beside a demo. In production it is a separate process. */
async function openSigner({
  config,
  databaseUrl,
  database: { db },
  log,
  aheadMs,
}: {
  config: Config;
  databaseUrl: string;
  database: Database;
  log: Log;
  aheadMs: number;
}): Promise<(() => Promise<void>) | null> {
  const { evm } = config;
  if (!config.demo || !evm?.minterKey) return null;
  const [first] = await db.select({ hash: authorityLines.hash }).from(authorityLines).where(eq(authorityLines.number, 0));
  if (!first) return null;
  const withKey = { ...config, evm: { ...evm, minterKey: evm.minterKey } };
  return startSignerChild({ config: withKey, databaseUrl, genesis: first.hash, log, aheadMs });
}

/** Without anvil, custody stays off. */
async function openDevnet(
  { dataDir, demoNews, devnetBlockSeconds }: Config,
  log: Log,
  started: (() => Promise<void> | void)[],
): Promise<EvmConfig | null> {
  // Loaded lazily for its contracts and keys.
  const { startDevnet } = await import('../chain/devnet.ts');
  const { startScenario } = await import('../chain/scenario.ts');
  try {
    const { stop, url, ...devnet } = await startDevnet(dataDir, devnetBlockSeconds);
    started.push(stop);
    if (demoNews) started.push(startScenario(url));
    return { ...devnet, urls: [url], mintDepth: 2n, startBlock: 0n };
  } catch (error) {
    if (!(error instanceof AnvilMissingError)) throw error;
    log.warn(error.message);
    return null;
  }
}

/** Replaces port 0. */
function atPort(config: Config, port: number): Config {
  const withPort = (url: string) => url.replace(/:0(?=\/|$)/, `:${port}`);
  return { ...config, port, publicUrl: withPort(config.publicUrl), esploraUrls: config.esploraUrls.map(withPort) };
}
