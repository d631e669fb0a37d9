import { test as playwright, expect, type TestType } from '@playwright/test';
import type { PlaywrightTestArgs, PlaywrightTestOptions, PlaywrightWorkerArgs, PlaywrightWorkerOptions } from '@playwright/test';
import { test as pageTest } from './index.ts';
import type { CommandClient } from './client.ts';
import { Engine } from './engine.ts';
import { attachLog } from './log.ts';
import { Make } from './make.ts';
import { panelIn, type Account } from './sign-in.ts';
import { needsPage, TokenAdmin } from './token-admin.ts';

/** What works with and without a page. */
export interface CommandAdmin extends Pick<
  CommandClient,
  'url' | 'request' | 'environment' | 'run' | 'runAny' | 'read' | 'get' | 'options' | 'list' | 'assess'
> {
  /** With PANEL_TOKEN: checks the token, and that it may read the screen. */
  signIn(path?: string, account?: Account): Promise<void>;
}

interface PagelessFixtures {
  admin: CommandAdmin;
  make: Make;
}

type PagelessTest = TestType<
  Omit<PlaywrightTestArgs, 'page' | 'context'> & PlaywrightTestOptions & PagelessFixtures,
  Omit<PlaywrightWorkerArgs, 'browser'> & PlaywrightWorkerOptions
>;

/** By locale. */
type Engines = Map<string, Engine>;

const tokenTest = playwright.extend<PagelessFixtures & { commandLog: void }, { engines: Engines }>({
  // Nothing starts a browser, so none has to be installed.
  browser: [
    async ({}, _use) => {
      throw needsPage('page');
    },
    { scope: 'worker' },
  ],
  engines: [
    async ({}, use) => {
      const engines: Engines = new Map();
      await use(engines);
      for (const engine of engines.values()) await engine.close();
    },
    { scope: 'worker' },
  ],
  admin: async ({ request, engines, locale: configured }, use) => {
    const locale = configured ?? 'en-US';
    const origin = panelIn(process.env);
    const engine = engines.get(locale) ?? new Engine({ origin, token: process.env['PANEL_TOKEN'] ?? '', locale });
    engines.set(locale, engine);
    await use(new TokenAdmin(origin, request, engine));
  },
  make: async ({ admin }, use) => {
    const make = new Make(admin as TokenAdmin);
    await use(make);
    await make.unmake();
  },
  commandLog: [
    async ({}, use, test) => {
      await use();
      await attachLog(test);
    },
    { auto: true },
  ],
});

/** Tests that need no page: with PANEL_TOKEN without a browser, otherwise in a page as PANEL_EMAIL. */
export const test = (process.env['PANEL_TOKEN'] ? tokenTest : pageTest) as unknown as PagelessTest;

export { expect };
export { at, given } from './index.ts';
export { PanelError } from './error.ts';
export { Make } from './make.ts';
export type { Commands, Lists, Rows } from './commands.ts';
export type { Answer, CommandId, FieldOption, Given, Result, Target } from './result.ts';
