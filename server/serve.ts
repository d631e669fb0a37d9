import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createAdaptorServer } from '@hono/node-server';
import { eq } from 'drizzle-orm';
import { createApp } from './app.ts';
import { createQaEnvironment, isDemoDatabase } from './dev/qa-environment.ts';
import { openEnvironmentState } from './dev/qa-environment-state.ts';
import { AnvilMissingError } from '../chain/anvil.ts';
import type { Config, EvmConfig } from './platform/core/config.ts';
import { describeSso } from './platform/core/config/sso.ts';
import { openDatabase, type Database } from './platform/db/db.ts';
import { authorityLines } from './authority/tables.ts';
import { startSignerChild } from './signer/child.ts';
import { findDemoWalletUrl } from './dev/wallet.ts';
import { clockUrl } from './dev/qa-tools.ts';
import { connectionsPerAddress, limitServer, serverOptions, type Http } from './platform/http/http.ts';
import { listen, formatOrigin } from './platform/http/listen.ts';
import type { Log } from './platform/core/log.ts';
import type { Meter } from './platform/core/meter.ts';
import type { Peer } from './platform/http/network.ts';
import { describeConnectionProblem } from './platform/db/connection-problem.ts';
import { startPostgres } from './platform/db/postgres.ts';
import { describeFileProblem } from './platform/core/start-error.ts';
import { closeServer, respondWhileStarting } from './socket.ts';
import { readBuildId, createStatic } from './platform/http/static.ts';

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
export async function serve({ config: initialConfig, log }: { config: Config; log: Log }): Promise<RunningServer> {
  const cleanupFunctions: (() => Promise<void> | void)[] = [];
  const stopAll = async () => {
    for (const end of cleanupFunctions.splice(0).reverse()) await end();
  };
  try {
    let databaseUrl = initialConfig.databaseUrl;
    if (databaseUrl === null) {
      const embeddedPostgres = await startPostgres({ dataDir: initialConfig.dataDir, log: (message) => log.warn(message) });
      cleanupFunctions.push(embeddedPostgres.stop);
      databaseUrl = embeddedPostgres.url;
    }
    const url = databaseUrl;

    // Before the application, so that a taken port fails immediately and port 0 is known.
    let fetch = (_request: Request, _peer?: Peer): Promise<Response> => Promise.reject(new Error('not yet'));
    const socket = createAdaptorServer({
      fetch: (request, env) => fetch(request, env),
      hostname: 'localhost', // HTTP/1.0 health checks have no host
      serverOptions,
    }) as Server;
    limitServer(socket, initialConfig.trustProxy === 0 ? connectionsPerAddress : null);
    const root = initialConfig.panelDir ?? fileURLToPath(new URL('../dist', import.meta.url));
    const build = readBuildId(root);
    let resolveReady = (_app: Http) => {};
    const respondStarting = () => {
      const readyApp = new Promise<Http>((resolve) => (resolveReady = resolve));
      fetch = (request, peer) => respondWhileStarting({ ready: readyApp, build }, request, peer);
    };
    respondStarting();
    const port = await listen(socket, initialConfig);
    let closing: Promise<void> | null = null;
    const stopListening = () => (closing ??= closeServer(socket));
    cleanupFunctions.push(async () => {
      const listenerClosed = stopListening();
      socket.closeIdleConnections();
      setTimeout(() => socket.closeAllConnections(), 500).unref(); // hanging requests have had ten seconds
      await listenerClosed;
    });

    /** What a reset of a test environment restarts. */
    const openResources: (() => Promise<void> | void)[] = [];
    let isPaused = false;
    const closeResources = async () => {
      for (const end of openResources.splice(0).reverse()) await end();
    };
    cleanupFunctions.push(closeResources);
    const state = initialConfig.qaTools ? openEnvironmentState(initialConfig.dataDir) : null;
    const configWithPort = initialConfig.port === 0 ? withPortInUrls(initialConfig, port) : initialConfig;
    const startPanel = async (): Promise<Config> => {
      const database = openDatabase({
        url,
        directUrl: initialConfig.databaseDirectUrl,
        readUrl: initialConfig.databaseReadUrl,
        statisticsUrl: initialConfig.statisticsDatabaseUrl,
        log,
        connections: initialConfig.databaseConnections,
      });
      openResources.push(database.close);
      state?.takeUp((await isDemoDatabase(url)) === false);
      const evm = initialConfig.devnet ? await openDevnet(initialConfig, log, openResources) : initialConfig.evm;
      const syncChainTime = async () => {
        if (!initialConfig.devnet || !evm || !state?.aheadMs()) return;
        const { advanceChainTime } = await import('../chain/devnet.ts');
        await advanceChainTime(evm.urls[0], state.now());
      };
      await syncChainTime();
      const config = { ...configWithPort, evm };
      const meter = await openTraces(
        config,
        log,
        await openMetrics({ config, log, database, build }, openResources),
        openResources,
      );
      const app = await createApp({
        config,
        log,
        database,
        files: createStatic({
          root,
          script: findDemoWalletUrl(config),
          firstScript: state ? clockUrl : null,
          sso: describeSso(config.sso),
        }),
        build,
        meter,
        ...(state && {
          now: state.now,
          isUnlimited: state.isUnlimited,
          environment: createQaEnvironment({ config, databaseUrl: url, log, state, follow: followDatabase, pause: runPaused }),
        }),
      }).catch((error: unknown) => {
        throw describeConnectionProblem(error, url) ?? error;
      });
      fetch = app.fetch;
      resolveReady(app);
      openResources.push(async () => {
        if (isPaused) return app.stop();
        await app.drain();
        // Sends new clients to another server and serves the existing ones.
        await Promise.race([stopListening(), sleep(config.drainMs > 0 ? shutdownGraceMs : 0)]);
        await app.stop();
      });
      const startSignerIfNeeded = () =>
        startSigner({ config, databaseUrl: config.databaseDirectUrl ?? url, database, log, aheadMs: state?.aheadMs() ?? 0 });
      let stopSigner = await startSignerIfNeeded();
      openResources.push(async () => stopSigner?.());
      async function followDatabase() {
        await syncChainTime();
        await stopSigner?.();
        stopSigner = await startSignerIfNeeded();
      }
      return config;
    };
    /** Requests wait for the end. */
    const runPaused = async (run: () => Promise<void>) => {
      isPaused = true;
      respondStarting();
      await closeResources();
      await run();
      await startPanel();
      isPaused = false;
    };
    const config = await startPanel();
    return {
      origin: formatOrigin(config.host, port),
      config,
      databaseUrl,
      stop: stopAll,
    };
  } catch (error) {
    await stopAll();
    throw describeFileProblem(error) ?? error;
  }
}

/** How long existing connections can send requests while draining. */
const shutdownGraceMs = 2_000;

/** Loaded only if a port is set. */
async function openMetrics(
  { config: { metrics, evm }, log, database, build }: { config: Config; log: Log; database: Database; build: string | null },
  cleanupFunctions: (() => Promise<void> | void)[],
): Promise<Meter | undefined> {
  if (metrics === null) return undefined;
  const { createMetrics, serveMetrics } = await import('./metrics/serve.ts');
  const { meter, registry } = createMetrics({ database, evm, build });
  const { url, stop } = await serveMetrics(registry, metrics);
  cleanupFunctions.push(stop);
  log.info({ url }, 'metrics available');
  return meter;
}

/** Loaded only if a collector is set. The meter adds routes to spans. */
async function openTraces(
  { traces }: Config,
  log: Log,
  meter: Meter | undefined,
  cleanupFunctions: (() => Promise<void> | void)[],
) {
  if (traces === null) return meter;
  const { startTracing } = await import('./tracing/watch.ts');
  const { named, stop } = startTracing({ ...traces, log });
  cleanupFunctions.push(stop);
  return named(meter);
}

/** Runs the signer beside a demo. In production it is a separate process. */
async function startSigner({
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
  const [genesisRow] = await db.select({ hash: authorityLines.hash }).from(authorityLines).where(eq(authorityLines.number, 0));
  if (!genesisRow) return null;
  const configWithKey = { ...config, evm: { ...evm, minterKey: evm.minterKey } };
  return startSignerChild({ config: configWithKey, databaseUrl, genesis: genesisRow.hash, log, aheadMs });
}

/** Without anvil, custody stays off. */
async function openDevnet(
  { dataDir, demoNews, devnetBlockSeconds }: Config,
  log: Log,
  cleanupFunctions: (() => Promise<void> | void)[],
): Promise<EvmConfig | null> {
  // Loaded lazily for its contracts and keys.
  const { startDevnet } = await import('../chain/devnet.ts');
  const { startScenario } = await import('../chain/scenario.ts');
  try {
    const { stop, url, ...devnet } = await startDevnet(dataDir, devnetBlockSeconds);
    cleanupFunctions.push(stop);
    if (demoNews) cleanupFunctions.push(startScenario(url));
    return { ...devnet, urls: [url], mintDepth: 2n, startBlock: 0n };
  } catch (error) {
    if (!(error instanceof AnvilMissingError)) throw error;
    log.warn(error.message);
    return null;
  }
}

/** Replaces port 0. */
function withPortInUrls(config: Config, port: number): Config {
  const replacePort = (url: string) => url.replace(/:0(?=\/|$)/, `:${port}`);
  return { ...config, port, publicUrl: replacePort(config.publicUrl), esploraUrls: config.esploraUrls.map(replacePort) };
}
