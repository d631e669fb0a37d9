import { test as playwright, expect } from '@playwright/test';
import { attachLog, listen } from './log.ts';
import { Make } from './make.ts';
import { Panel, type Sessions } from './panel.ts';
import { accountIn, panelIn, placeOf, type Account } from './sign-in.ts';

/** What every test of a panel has: the page it complains in, and the log of its commands. */
export const base = playwright.extend<{
  /** Whatever the page complained of: empty at the end of every test. */
  complaints: string[];
  /** Every command with its requests, attached to the report and the trace. */
  commandLog: void;
}>({
  complaints: [
    async ({ page }, use) => {
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
      page.on('console', (message) => {
        const text = message.text();
        // What the browser says of an answer that is not 2xx is the test's own business.
        if (message.type() === 'error' && !text.startsWith('Failed to load resource')) complaints.push(text);
        if (/Content Security Policy|TrustedHTML|TrustedScript/.test(text)) complaints.push(text);
      });
      await use(complaints);
      expect(complaints, 'the page logged errors').toEqual([]);
    },
    { auto: true },
  ],
  commandLog: [
    async ({ page }, use, test) => {
      await listen(page, test);
      await use();
      await attachLog(test);
    },
    { auto: true },
  ],
});

/** A deployed panel, by address and account: no database, no server of the test's own. */
export class Admin extends Panel {
  /** Signs in and opens a screen: as PANEL_EMAIL, or as the account given. The tests of a run share an account's session while it lasts. */
  async signIn(path = '/', account: Account = accountIn(process.env)): Promise<void> {
    return await playwright.step(`sign in as ${account.email}`, () => this.#signIn(path, account), { box: true });
  }

  async #signIn(path: string, account: Account): Promise<void> {
    const place = placeOf(this.url, account.email, process.env);
    const known = place.read();
    if (known) await this.page.context().addCookies([{ ...known, url: this.url, sameSite: 'Strict', httpOnly: true }]);
    const session = await this.session(account);
    place.keep(await this.page.context().cookies(this.url));
    await this.enter(session, path, account.label);
  }
}

/** Tests of the panel that PANEL_URL, PANEL_EMAIL and PANEL_PASSWORD name. */
export const test = base.extend<{ admin: Admin; make: Make }, { sessions: Sessions }>({
  sessions: [async ({}, use) => use(new Map()), { scope: 'worker' }],
  admin: async ({ page, sessions }, use) => use(new Admin(page, panelIn(process.env), sessions)),
  make: async ({ admin }, use) => {
    const make = new Make(admin);
    await use(make);
    await make.unmake();
  },
});

/** A value that stands in no file, such as a password: from the environment. */
export function given(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`this test needs the environment variable ${name}`);
  return value;
}

/** The text at a place in a command's answer: `at(added, 'done', 0, 'id')`. */
export function at(result: unknown, ...path: readonly (string | number)[]): string {
  const found = path.reduce<unknown>((here, part) => (here as Record<string, unknown> | null | undefined)?.[part], result);
  if (typeof found !== 'string') throw new Error(`${path.join('.')} is missing in ${JSON.stringify(result)}`);
  return found;
}

export { expect };
export { PanelError } from './error.ts';
export { Make } from './make.ts';
export { Panel, pressKeys, type Sessions } from './panel.ts';
export { steering } from './steering.ts';
export type { Mail, TestEnvironment } from './environment.ts';
export type { Commands, Lists, Rows } from './commands.ts';
export type { Answer, CommandId, Given, Result, Target } from './result.ts';
