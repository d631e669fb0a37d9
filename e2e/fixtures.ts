import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Browser, BrowserContext, Page } from 'playwright/test';
import { demoAccounts, demoPassword, type RoleName } from '../server/seed/roles.ts';
import { base, expect, Make, Panel, pressKeys, type Sessions } from '../qa/kit/index.ts';
import { copyTemplate } from './support/database.ts';
import { storeIn, type Store } from '../testing/factories/store.ts';
import { freePort } from '../chain/free-port.ts';
import { Panels, type TestServer } from './support/server.ts';

/** See e2e/README.md. */
export class Admin extends Panel {
  /** Reuses the role's session if possible. */
  async signIn(role: RoleName = 'all', path = '/'): Promise<void> {
    const { email } = demoAccounts.find((account) => account.role === role) ?? demoAccounts[0];
    await this.enter(await this.session({ email, password: demoPassword }), path);
  }
}

type OwnServer = TestServer & { databaseUrl: string; sessions: Sessions };

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
  serverOf: (file: string, env: Record<string, string>) => Promise<OwnServer>;
}
interface Fixtures {
  /**
   * By default only cookies, storage and permissions are cleared between tests. True for tests that
   * change time or the network.
   */
  ownContext: boolean;
  serverEnv: Record<string, string>;
  server: OwnServer;
  admin: Admin;
  /** Records deleted after the test. */
  make: Make;
  db: pg.Client;
  /** Puts rows into `db`. */
  store: Store;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  shared: [
    async ({}, use) => {
      const shared: SharedContexts = new Map();
      await use(shared);
      for (const { context } of shared.values()) await context.close();
    },
    { scope: 'worker' },
  ],
  ownContext: [false, { option: true }],
  context: async ({ browser, shared, ownContext, locale, timezoneId, viewport, permissions, contextOptions }, use, { retry }) => {
    if (ownContext || retry > 0) {
      const context = await browser.newContext();
      await use(context);
      return context.close();
    }
    const options = JSON.stringify({ locale, timezoneId, viewport, permissions, contextOptions });
    const one = await contextOf(browser, shared, options);
    await use(one.context);
    await cleanUp(one, permissions);
  },
  page: async ({ context, shared }, use) => {
    const kept = [...shared.values()].find((one) => one.context === context)?.kept;
    await use(await (kept ? pageBeside(kept) : context.newPage()));
  },
  serverOf: [
    async ({}, use, { workerIndex }) => {
      const running = new Map<string, OwnServer>();
      const panels = new Panels();
      const port = String(await freePort()); // a constant port keeps cached files valid
      const stop = async () => {
        for (const server of running.values()) await server.stop();
        running.clear();
      };
      await use(async (file, env) => {
        const there = running.get(file);
        if (there) return there;
        await stop();
        const databaseUrl = await copyTemplate(`e2e_${workerIndex}`);
        const server = { ...(await panels.start(databaseUrl, { PORT: port, ...env })), databaseUrl, sessions: new Map() };
        running.set(file, server);
        return server;
      });
      await stop();
      await panels.close();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  serverEnv: [{}, { option: true }],
  server: [
    async ({ serverOf, serverEnv }, use, { file }) => use(await serverOf(file, serverEnv)),
    { timeout: 90_000 }, // the first test starts the server
  ],
  admin: async ({ page, server }, use) => {
    await use(new Admin(page, server.url, server.sessions));
  },
  make: async ({ admin }, use) => {
    const make = new Make(admin);
    await use(make);
    await make.unmake();
  },
  db: async ({ server }, use) => {
    const client = new pg.Client({ connectionString: server.databaseUrl });
    await client.connect();
    await use(client);
    await client.end();
  },
  store: async ({ db }, use) => use(storeIn(drizzle(db))),
});

async function contextOf(browser: Browser, shared: SharedContexts, options: string): Promise<SharedContext> {
  const one = shared.get(options) ?? { context: await browser.newContext(), kept: null };
  shared.delete(options);
  shared.set(options, one);
  for (const [others, { context }] of shared) {
    if (shared.size <= maxContexts) break;
    shared.delete(others);
    await context.close();
  }
  return one;
}

/** A new renderer process would take two thirds of the time. */
async function pageBeside(kept: Page): Promise<Page> {
  const opened = kept.context().waitForEvent('page');
  await kept.evaluate(() => {
    const beside = window.open('about:blank');
    if (beside) beside.opener = null;
  });
  return opened;
}

async function cleanUp(shared: SharedContext, permissions: string[] | undefined): Promise<void> {
  const { context } = shared;
  const pages = context.pages().filter((page) => page !== shared.kept);
  const places = new Set(pages.map((page) => new URL(page.url()).origin));
  const [first, ...others] = pages;
  await Promise.all(others.map((page) => page.close()));
  if (first) {
    const cdp = await context.newCDPSession(first);
    for (const origin of places)
      if (origin !== 'null')
        await cdp.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage,indexeddb,cache_storage' });
    if (!shared.kept && first.url().startsWith('http')) {
      shared.kept = await context.newPage();
      await shared.kept.goto(new URL('/healthz', first.url()).href);
    }
    await first.close();
  }
  await context.clearCookies();
  await context.clearPermissions();
  if (permissions) await context.grantPermissions(permissions);
}

export { expect, pressKeys };
