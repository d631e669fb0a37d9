import pg from 'pg';
import type { Browser, BrowserContext, Page } from 'playwright/test';
import { demoAccounts, demoPassword, type RoleName } from '../server/seed/roles.ts';
import { base, expect, Make, Panel, pressKeys, type Sessions } from './kit/index.ts';
import { copyTemplate } from './support/database.ts';
import { freePort } from '../chain/free-port.ts';
import { Panels, type TestServer } from './support/server.ts';

/** Scripts the panel as QA does: by command, through the palette, or by its keys. See e2e/README.md. */
export class Admin extends Panel {
  /** Takes up a session of one of the seeded roles, or signs in through the API, and opens a screen. */
  async signIn(role: RoleName = 'all', path = '/'): Promise<void> {
    const { email } = demoAccounts.find((account) => account.role === role) ?? demoAccounts[0];
    await this.enter(await this.session({ email, password: demoPassword }), path);
  }
}

/** The tests of a file share an account's session while it lasts. */
type OwnServer = TestServer & { databaseUrl: string; sessions: Sessions };

/** A context that tests of a worker use one after another. */
interface SharedContext {
  context: BrowserContext;
  /** Stays open between them, and with it the process of the site, which has compiled the panel's scripts. */
  kept: Page | null;
}
/** Those of a worker by the options they were made with, the one used last at the end: files in Chinese and in English take turns. */
type SharedContexts = Map<string, SharedContext>;
const mostContexts = 3;

interface WorkerFixtures {
  shared: SharedContexts;
  /** The server of a file: its tests share it one after another, the next file has another. */
  serverOf: (file: string, env: Record<string, string>) => Promise<OwnServer>;
}
interface Fixtures {
  /**
   * The browser's files stay from test to test, so that a page needs not fetch sixty of them each time: only what a person would have
   * left behind goes (cookies, storage, permissions). `test.use({ ownContext: true })` where a test bends time or the network itself.
   */
  ownContext: boolean;
  /** Environment of the file's server, besides what every one has. */
  serverEnv: Record<string, string>;
  server: OwnServer;
  admin: Admin;
  /** Records that are gone when the test is over. */
  make: Make;
  /** Reads and writes the file's own database. */
  db: pg.Client;
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
      const port = String(await freePort()); // the same for every file: files of the panel are known to the browser by it
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
    { timeout: 90_000 }, // the first test of a file starts it
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
});

/** The worker's context with the options of the test that runs (Playwright adds them to every new context). */
async function contextOf(browser: Browser, shared: SharedContexts, options: string): Promise<SharedContext> {
  const one = shared.get(options) ?? { context: await browser.newContext(), kept: null };
  shared.delete(options);
  shared.set(options, one);
  for (const [others, { context }] of shared) {
    if (shared.size <= mostContexts) break;
    shared.delete(others);
    await context.close();
  }
  return one;
}

/**
 * A new page in the process of one that is there, of which it knows nothing. By itself the browser begins a process for each, at two
 * thirds of the work of opening a page, and lets it go as soon as the page comes to the site of the other.
 */
async function pageBeside(kept: Page): Promise<Page> {
  const opened = kept.context().waitForEvent('page');
  await kept.evaluate(() => {
    const beside = window.open('about:blank');
    if (beside) beside.opener = null;
  });
  return opened;
}

/** Leaves the files in the browser's cache, and the process in which they are compiled; nothing else. */
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
