import { setMaxListeners } from 'node:events';
import { and, eq } from 'drizzle-orm';
import { contract } from '../api/contract.ts';
import { importLimit, importUploads } from '../api/imports/contract.ts';
import { pictureLimit } from '../api/pictures/contract.ts';
import { coboRoutes } from './deposits/cobo-webhook.ts';
import { devFeedRoutes } from './dev/feed.ts';
import { events, stopEvents } from './events/events.ts';
import { devBitcoinRoutes } from './dev/bitcoin.ts';
import { devMailRoutes } from './dev/mail.ts';
import { devWalletRoutes } from './dev/wallet.ts';
import { qaRoutes, type QaEnvironment } from './dev/qa-tools.ts';
import { authorityLog } from './authority/routes.ts';
import { ensureAuthorityLog } from './authority/begin.ts';
import { createDevelopmentLog } from './authority/development.ts';
import { warmAuthority } from './authority/store.ts';
import { createDevReceivers } from './dev/shared/demo-bitcoin.ts';
import { custodyConfig } from './mints/evidence.ts';
import { requireLedgerOfDeployment } from './mints/deployment.ts';
import { startAlarms } from './alarms/watch.ts';
import { deleteExpiredDrafts } from './imports/drafts.ts';
import { startImporter } from './imports/worker.ts';
import { startReconciliation } from './custody/reconciliation.ts';
import { startBridgeWatcher } from './withdrawals/bridge-watcher.ts';
import { createPartitions, startStatistics } from './statistics/jobs.ts';
import { prepareStatistics } from './statistics/prepare.ts';
import { startContractCheck } from './custody/shared/contract-check.ts';
import { startCrsms } from './crsm/shared/watch.ts';
import { openApiRoute } from './openapi/document.ts';
import { sweepPictures } from './pictures/picture-sweep.ts';
import { parsePictureFile } from './pictures/pictures.ts';
import { startSigningHeads } from './platform/audit/heads.ts';
import { startAuditMonths } from './platform/audit/months.ts';
import type { Config } from './platform/core/config.ts';
import { countryLookupOf } from './platform/content/countries.ts';
import type { Services } from './platform/services/context.ts';
import type { Database } from './platform/db/db.ts';
import { createExportRoutes } from './platform/exports/download.ts';
import { deleteExpiredExports } from './platform/exports/jobs.ts';
import { startExporter } from './platform/exports/worker.ts';
import { createHttp, type Http, type StaticFiles } from './platform/http/http.ts';
import { findRouteProblems } from './platform/http/router.ts';
import type { Log } from './platform/core/log.ts';
import type { Meter } from './platform/core/meter.ts';
import { startMailer } from './platform/content/mail.ts';
import { openExternalServices, requirePictureStore } from './platform/services/services.ts';
import type { RawRoute } from './platform/http/raw-routes.ts';
import { checkSsoAtStart } from './platform/auth/sso/start-check.ts';
import { checkSecretKey } from './platform/core/encryption.ts';
import { publicRoutes } from './public.ts';
import { router } from './router.ts';
import { startHourlySweep } from './platform/db/retention.ts';
import { provisioningRoutes } from './access/provisioning/routes.ts';
import { sweepServiceTokens } from './access/service-token-sweep.ts';
import { signDemoMints } from './seed/demo-approvals.ts';
import { watchClock } from './platform/db/clock-watch.ts';
import { withAdvisoryLock } from './platform/db/advisory-lock.ts';
import { seedDatabase } from './seed/seed.ts';
import { administrators } from './platform/auth/tables.ts';

export interface AppOptions {
  config: Config;
  log: Log;
  database: Database;
  files?: StaticFiles;
  build?: string | null;
  meter?: Meter | undefined;
  /** Overridden by tests. */
  now?: () => number;
  /** False in tests, which run jobs themselves. */
  jobs?: boolean;
  environment?: QaEnvironment | null;
  /** Turns rate limits off in a test environment. */
  isUnlimited?: () => boolean;
}

export const rawRoutes = (config: Config, environment: QaEnvironment | null = null): RawRoute[] => [
  ...publicRoutes,
  parsePictureFile,
  ...createExportRoutes(),
  events,
  authorityLog,
  ...coboRoutes(config),
  ...devFeedRoutes(config),
  ...devMailRoutes(config),
  ...devWalletRoutes(config),
  ...devBitcoinRoutes(config),
  ...qaRoutes(config, environment, createPartitions),
  openApiRoute(config),
  ...provisioningRoutes(config),
];

/** Migrates and seeds the database and answers requests, without a socket. Throws for a misconfigured route. */
export async function createApp({
  config,
  log,
  database,
  files,
  build,
  meter,
  now = Date.now,
  jobs = true,
  environment = null,
  isUnlimited = () => false,
}: AppOptions): Promise<Http> {
  checkSecretKey(config);
  const abortController = new AbortController();
  setMaxListeners(0, abortController.signal); // one listener per request
  const externalServices = openExternalServices(config);
  const services: Services = {
    config,
    log,
    database,
    now,
    isUnlimited,
    ...(meter && { meter }),
    ...externalServices,
    stopping: abortController.signal,
  };
  const plainRoutes = rawRoutes(config, environment);
  const problems = findRouteProblems(contract, router, plainRoutes);
  if (problems.length > 0) throw new Error(`The server can’t start: ${problems.join(', ')}.`);

  await database.migrate();
  await requirePictureStore(services);
  await requireLedgerOfDeployment(database.db, config);
  countryLookupOf(services); // reports an invalid file now
  const stopPreparation = await prepareStatistics(services);
  // Of several processes the first one creates the initial data.
  await withAdvisoryLock(
    () => database.connect(),
    'begin',
    async () => {
      await seedDatabase(services);
      await ensureAuthorityLog(services);
      await createDevelopmentLog(services, {
        custody: [...custodyConfig(config)],
        receivers: config.demoNews ? createDevReceivers(config.bitcoinNetwork) : [],
      });
      await signDemoMints(services);
      await checkSsoAtStart(services);
    },
  );
  await warmAuthority(services);
  if (!config.demo && !(await hasAdministrator(database))) log.warn('there is no administrator yet: run npm run admin:create');
  if (!config.roleNetworks) log.warn('ROLE_NETWORKS is off: roles grant their permissions on every network');
  const overheadBytes = 64 * 1024; // multipart overhead
  const uploads = {
    '/rpc/pictures/add': pictureLimit.bytes + overheadBytes,
    '/api/pictures': pictureLimit.bytes + overheadBytes,
    ...Object.fromEntries(importUploads.map((path) => [path, importLimit.bytes + overheadBytes])),
  };
  const http = createHttp({ services, router, plain: plainRoutes, uploads, files, build });
  const stopSweeps = startHourlySweep(services, [deleteExpiredDrafts, sweepPictures, deleteExpiredExports, sweepServiceTokens]);
  const stopSigning = startSigningHeads(services);
  const stopAuditMonths = jobs ? startAuditMonths(services) : async () => {};
  const stopWatchingClock = watchClock(services);
  const stopMailing = jobs ? startMailer(services) : async () => {};
  const stopAlarms = jobs ? startAlarms(services) : async () => {};
  const stopReconciling = jobs ? startReconciliation(services) : async () => {};
  const stopWatching = jobs ? startBridgeWatcher(services) : async () => {};
  const stopCounting = jobs ? startStatistics(services) : async () => {};
  const stopChecking = jobs ? startContractCheck(services) : () => {};
  const stopCrsms = jobs ? startCrsms(services) : async () => {};
  const stopImporting = jobs ? startImporter(services) : async () => {};
  const stopExporting = jobs ? startExporter(services) : async () => {};
  return {
    fetch: http.fetch,
    drain: http.drain,
    stop: async () => {
      stopSweeps();
      stopEvents(services);
      // Refuses new requests. Running ones may still queue mail.
      await http.stop();
      abortController.abort(); // watchers stop waiting for nodes
      await stopAlarms(); // these may queue mail
      await stopMailing();
      await stopWatchingClock();
      await stopReconciling();
      await stopWatching();
      stopChecking();
      await stopCrsms();
      await stopImporting();
      await stopExporting();
      await stopPreparation();
      await stopCounting();
      await stopAuditMonths();
      await stopSigning(); // after the last write
    },
  };
}

async function hasAdministrator({ db }: Database): Promise<boolean> {
  const isUsableAdministrator = and(eq(administrators.enabled, true), eq(administrators.demo, false));
  return (await db.select({ id: administrators.id }).from(administrators).where(isUsableAdministrator).limit(1)).length > 0;
}
