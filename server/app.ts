import { OpenAPIGenerator } from '@orpc/openapi';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import { and, eq } from 'drizzle-orm';
import { contract } from '../api/contract.ts';
import { importLimit, importUploads } from '../api/imports.ts';
import { pictureLimit } from '../api/pictures.ts';
import { coboRoutes } from './cobo-webhook.ts';
import { devFeedRoutes } from './dev-feed.ts';
import { events, stopEvents } from './events.ts';
import { devBitcoinRoutes } from './dev-bitcoin.ts';
import { devMailRoutes } from './dev-mail.ts';
import { gatherEvidence } from './deposit-evidence.ts';
import { startMints } from './mints.ts';
import { evmChain, keySigner } from './platform/evm.ts';
import { account } from './account.ts';
import { administrators as administratorRoutes } from './administrators.ts';
import { airdrops, airdropsExportRoute } from './airdrops.ts';
import { audit, auditExport } from './audit.ts';
import { deposits } from './deposits.ts';
import { dataPanel } from './data-panel.ts';
import { feedback } from './feedback.ts';
import { home } from './home.ts';
import { airdropsImports, drawsImports, pointsImports, teamsImports } from './imports.ts';
import { startImporter } from './imports/worker.ts';
import { news } from './news.ts';
import { notices } from './notices.ts';
import { permissions } from './permissions.ts';
import { points, pointsExports } from './points.ts';
import { startReconciliation } from './reconciliation.ts';
import { roles } from './roles.ts';
import { startBridgeWatcher } from './bridge-watcher.ts';
import { chain } from './chain.ts';
import { draws, drawsExportRoute } from './draws.ts';
import { overview, overviewExportRoute } from './overview.ts';
import { positionStats, positionStatsExportRoute } from './position-stats.ts';
import { makeRoom, startStatistics } from './statistics/jobs.ts';
import { teams, teamsExportRoute } from './teams.ts';
import { vaults, vaultsExportRoute } from './vaults.ts';
import { views } from './views.ts';
import { visits, visitsExportRoute } from './visits.ts';
import { walletConnections, walletConnectionsExportRoute } from './wallet-connections.ts';
import { startContractCheck } from './contract-check.ts';
import { wallet } from './wallet.ts';
import { crsm } from './crsm.ts';
import { startCrsms } from './crsm-watch.ts';
import { withdrawals } from './withdrawals.ts';
import { pictureFile, pictures } from './pictures.ts';
import { signHeads } from './platform/audit-heads.ts';
import { startAuditMonths } from './platform/audit-months.ts';
import type { Config } from './platform/config.ts';
import { countryOf } from './platform/countries.ts';
import type { Services } from './platform/context.ts';
import type { Database } from './platform/db.ts';
import { stopExports } from './platform/export.ts';
import { createHttp, type Http, type StaticFiles } from './platform/http.ts';
import { on, routeProblems } from './platform/implement.ts';
import type { Log } from './platform/log.ts';
import { startMailer } from './platform/mail.ts';
import { openOutside } from './platform/outside.ts';
import type { PlainRoute } from './platform/plain.ts';
import { checkSecretKey } from './platform/seal.ts';
import { publicRoutes } from './public.ts';
import { sweepHourly } from './platform/sweep.ts';
import { seed } from './seed.ts';
import { session } from './session.ts';
import { administrators, deposits as depositTable } from './tables.ts';

/** Every route of the contract, implemented: one resource a key. */
const router = on.router({
  account,
  administrators: administratorRoutes,
  airdropsImports,
  airdrops,
  audit,
  deposits,
  dataPanel,
  chain,
  feedback,
  home,
  news,
  notices,
  permissions,
  pictures,
  pointsImports,
  points,
  roles,
  session,
  wallet,
  withdrawals,
  crsm,
  visits,
  walletConnections,
  vaults,
  positionStats,
  teams,
  teamsImports,
  draws,
  drawsImports,
  overview,
  views,
});

export interface AppParts {
  config: Config;
  log: Log;
  database: Database;
  /** Serves the panel's own files. */
  files?: StaticFiles;
  /** Which build they are of. */
  build?: string | null;
  /** The clock; tests turn it. */
  now?: () => number;
  /** Whether this process takes imports in; tests do that by hand. */
  jobs?: boolean;
}

/** Every route beside the contract. */
export const plainRoutes = (config: Config): PlainRoute[] => [
  ...publicRoutes,
  pictureFile,
  auditExport,
  airdropsExportRoute,
  ...pointsExports,
  visitsExportRoute,
  vaultsExportRoute,
  positionStatsExportRoute,
  walletConnectionsExportRoute,
  teamsExportRoute,
  drawsExportRoute,
  overviewExportRoute,
  events,
  ...coboRoutes(config),
  ...devFeedRoutes(config),
  ...devMailRoutes(config),
  ...devBitcoinRoutes(config),
  openApi(config),
];

/** The server without a socket: migrates and seeds the database, then answers requests. Throws when a route is not in order. */
export async function createApp({ config, log, database, files, build, now = Date.now, jobs = true }: AppParts): Promise<Http> {
  checkSecretKey(config);
  const services: Services = { config, log, database, now, ...openOutside(config) };
  const plain = plainRoutes(config);
  const problems = routeProblems(contract, router, plain);
  if (problems.length > 0) throw new Error(`The server does not start: ${problems.join('; ')}.`);

  await database.migrate();
  countryOf(services); // a file that is none is said now
  await makeRoom(services);
  await seed(services);
  if (config.production && !(await hasAdministrator(database))) log.warn('nobody can sign in yet: npm run admin:create');
  const slack = 64 * 1024; // what the form around the file takes
  const uploads = {
    '/rpc/pictures/add': pictureLimit.bytes + slack,
    '/api/pictures': pictureLimit.bytes + slack,
    ...Object.fromEntries(importUploads.map((path) => [path, importLimit.bytes + slack])),
  };
  const http = createHttp({ services, router, plain, uploads, files, build });
  const stopSweeping = sweepHourly(services);
  const stopSigning = signHeads(services);
  const stopAuditMonths = jobs ? startAuditMonths(services) : async () => {};
  const stopMailing = startMailer(services);
  const stopMinting = jobs ? openMinting(services) : async () => {};
  const stopReconciling = jobs ? startReconciliation(services) : async () => {};
  const stopWatching = jobs ? startBridgeWatcher(services) : async () => {};
  const stopCounting = jobs ? startStatistics(services) : async () => {};
  const stopChecking = jobs ? startContractCheck(services) : () => {};
  const stopCrsms = jobs ? startCrsms(services) : async () => {};
  const stopImporting = jobs ? startImporter(services) : async () => {};
  return {
    fetch: http.fetch,
    stop: async () => {
      stopSweeping();
      stopEvents(services);
      stopExports(services);
      // New requests are refused from here on; those that were taken may still queue a mail.
      await http.stop();
      await stopMailing();
      await stopMinting();
      await stopReconciling();
      await stopWatching();
      stopChecking();
      await stopCrsms();
      await stopImporting();
      await stopCounting();
      await stopAuditMonths();
      await stopSigning(); // after the last write
    },
  };
}

/** Mints on the configured chain, where the key for it is here. */
function openMinting(services: Services): () => Promise<void> {
  const { config, database } = services;
  const { evm } = config;
  if (!evm?.minterKey) return async () => {};
  const chain = evmChain({ url: evm.url, chainId: evm.chainId, ybtc: evm.contracts.ybtc, signer: keySigner(evm.minterKey) });
  const evidence = async (depositId: string) => {
    const [deposit] = await database.db.select().from(depositTable).where(eq(depositTable.id, depositId));
    if (!deposit) return 'broken';
    const { verdict } = await gatherEvidence(config, deposit);
    return verdict === 'holds' ? 'holds' : verdict === 'mismatch' ? 'broken' : 'unknown';
  };
  return startMints({ services, chain, depth: evm.mintDepth, evidence });
}

async function hasAdministrator({ db }: Database): Promise<boolean> {
  const able = and(eq(administrators.enabled, true), eq(administrators.demo, false));
  return (await db.select({ id: administrators.id }).from(administrators).where(able).limit(1)).length > 0;
}

/** The contract as an OpenAPI document, for people who integrate: open in development, else to who is signed in. */
function openApi({ production, publicUrl }: Config): PlainRoute {
  let document: Promise<unknown> | null = null;
  const generate = () =>
    new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] }).generate(contract, {
      info: { title: 'Admin Panel', version: '1' },
      servers: [{ url: `${publicUrl}/api` }],
      components: { securitySchemes: { session: { type: 'http', scheme: 'bearer' } } },
    });
  return {
    method: 'GET',
    path: '/api/openapi.json',
    meta: production ? { signedIn: true } : { public: true },
    handle: async () => Response.json(await (document ??= generate())),
  };
}
