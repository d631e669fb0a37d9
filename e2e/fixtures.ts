import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Browser, BrowserContext, Page } from 'playwright/test';
import { demoAccounts, demoPassword, type RoleName } from '../server/seed/roles.ts';
import { base, expect, Make, Panel, pressKeys, type Sessions } from '../qa/kit/index.ts';
import { copyTemplate } from './support/database.ts';
import { createStore, type Store } from '../testing/factories/store.ts';
import { findFreePort } from '../chain/free-port.ts';
import { PanelServers, type TestServer } from './support/server.ts';

/** See e2e/README.md. */
export class Admin extends Panel {
  /** Reuses the role's session if possible. */
  async signIn(role: RoleName = 'all', path = '/'): Promise<void> {
    const { email } = demoAccounts.find((account) => account.role === role) ?? demoAccounts[0];
    await this.enter(await this.session({ email, password: demoPassword }), path);
  }
}

type WorkerServer = TestServer & { databaseUrl: string; sessions: Sessions };

/** Reused by the tests of a worker. */
interface SharedContext {
  context: BrowserContext;
  /** Keeps the renderer process, which has compiled the scripts. */
  kept: Page | null;
}
/** By options, last used last. */
type SharedContexts = Map<string, SharedContext>;
const maxContexts = 3;

interface WorkerFixtures {
  shared: SharedContexts;
  /** One per file. */
  serverOf: (file: string, env: Record<string, string>) => Promise<WorkerServer>;
}
interface Fixtures {
  /**
   * By default only cookies, storage and permissions are cleared between tests. True for tests that
   * change time or the network.
   */
  ownContext: boolean;
  serverEnv: Record<string, string>;
  server: WorkerServer;
  admin: Admin;
  /** Records deleted after the test. */
  make: Make;
  db: pg.Client;
  /** Puts rows into `db`. */
  store: Store;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  shared: [
    async ({}, provide) => {
      const sharedContexts: SharedContexts = new Map();
      await provide(sharedContexts);
      for (const { context } of sharedContexts.values()) await context.close();
    },
    { scope: 'worker' },
  ],
  ownContext: [false, { option: true }],
  context: async (
    { browser, shared, ownContext, locale, timezoneId, viewport, permissions, contextOptions },
    provide,
    { retry },
  ) => {
    if (ownContext || retry > 0) {
      const context = await browser.newContext();
      await provide(context);
      return context.close();
    }
    const options = JSON.stringify({ locale, timezoneId, viewport, permissions, contextOptions });
    const sharedContext = await getSharedContext(browser, shared, options);
    await provide(sharedContext.context);
    await cleanUp(sharedContext, permissions);
  },
  page: async ({ context, shared }, provide) => {
    const keptPage = [...shared.values()].find((sharedContext) => sharedContext.context === context)?.kept;
    await provide(await (keptPage ? openPageBeside(keptPage) : context.newPage()));
  },
  serverOf: [
    async ({}, provide, { workerIndex }) => {
      const runningServers = new Map<string, WorkerServer>();
      const panels = new PanelServers();
      const port = String(await findFreePort()); // a constant port keeps cached files valid
      const stopServers = async () => {
        for (const server of runningServers.values()) await server.stop();
        runningServers.clear();
      };
      await provide(async (file, env) => {
        const runningServer = runningServers.get(file);
        if (runningServer) return runningServer;
        await stopServers();
        const databaseUrl = await copyTemplate(`e2e_${workerIndex}`);
        const server = { ...(await panels.start(databaseUrl, { PORT: port, ...env })), databaseUrl, sessions: new Map() };
        runningServers.set(file, server);
        return server;
      });
      await stopServers();
      await panels.close();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  serverEnv: [{}, { option: true }],
  server: [
    async ({ serverOf, serverEnv }, provide, { file }) => provide(await serverOf(file, serverEnv)),
    { timeout: 90_000 }, // the first test starts the server
  ],
  admin: async ({ page, server }, provide) => {
    await provide(new Admin(page, server.url, server.sessions));
  },
  make: async ({ admin }, provide) => {
    const maker = new Make(admin);
    await provide(maker);
    await maker.unmake();
  },
  db: async ({ server }, provide) => {
    const client = new pg.Client({ connectionString: server.databaseUrl });
    await client.connect();
    await provide(client);
    await client.end();
  },
  store: async ({ db }, provide) => provide(createStore(drizzle(db))),
});

async function getSharedContext(browser: Browser, sharedContexts: SharedContexts, options: string): Promise<SharedContext> {
  const sharedContext = sharedContexts.get(options) ?? { context: await browser.newContext(), kept: null };
  sharedContexts.delete(options);
  sharedContexts.set(options, sharedContext);
  for (const [otherOptions, { context }] of sharedContexts) {
    if (sharedContexts.size <= maxContexts) break;
    sharedContexts.delete(otherOptions);
    await context.close();
  }
  return sharedContext;
}

/** A new renderer process would take two thirds of the time. */
async function openPageBeside(keptPage: Page): Promise<Page> {
  const pagePromise = keptPage.context().waitForEvent('page');
  await keptPage.evaluate(() => {
    const openedWindow = window.open('about:blank');
    if (openedWindow) openedWindow.opener = null;
  });
  return pagePromise;
}

async function cleanUp(sharedContexts: SharedContext, permissions: string[] | undefined): Promise<void> {
  const { context } = sharedContexts;
  const pages = context.pages().filter((page) => page !== sharedContexts.kept);
  const origins = new Set(pages.map((page) => new URL(page.url()).origin));
  const [firstPage, ...otherOptions] = pages;
  await Promise.all(otherOptions.map((page) => page.close()));
  if (firstPage) {
    const cdp = await context.newCDPSession(firstPage);
    for (const origin of origins)
      if (origin !== 'null')
        await cdp.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage,indexeddb,cache_storage' });
    if (!sharedContexts.kept && firstPage.url().startsWith('http')) {
      sharedContexts.kept = await context.newPage();
      await sharedContexts.kept.goto(new URL('/healthz', firstPage.url()).href);
    }
    await firstPage.close();
  }
  await context.clearCookies();
  await context.clearPermissions();
  if (permissions) await context.grantPermissions(permissions);
}

export { expect, pressKeys };
