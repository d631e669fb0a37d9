import { test as playwright, expect } from '@playwright/test';
import { attachLog, logPageCommands } from './log.ts';
import { Make } from './make.ts';
import { Panel, type Sessions } from './panel.ts';
import { accountIn, panelIn, cookieStoreOf, type Account } from './sign-in.ts';

/** Adds console complaints and a command log to each test. */
export const base = playwright.extend<{
  /** Must be empty at the end. */
  complaints: string[];
  commandLog: void;
}>({
  complaints: [
    async ({ page }, use) => {
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
      page.on('console', (message) => {
        const text = message.text();
        // Left to the test.
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
      await logPageCommands(page, test);
      await use();
      await attachLog(test);
    },
    { auto: true },
  ],
});

/** A panel known only by address and account. */
export class Admin extends Panel {
  /** Signs in, by default as PANEL_EMAIL, and opens a screen. Tests share sessions. */
  async signIn(path = '/', account: Account = accountIn(process.env)): Promise<void> {
    return await playwright.step(`sign in as ${account.email}`, () => this.#signIn(path, account), { box: true });
  }

  async #signIn(path: string, account: Account): Promise<void> {
    const cookieStore = cookieStoreOf(this.url, account.email, process.env);
    const storedCookie = cookieStore.read();
    if (storedCookie)
      await this.page.context().addCookies([{ ...storedCookie, url: this.url, sameSite: 'Strict', httpOnly: true }]);
    const session = await this.session(account);
    cookieStore.keep(await this.page.context().cookies(this.url));
    await this.enter(session, path, account.label);
  }
}

/** Tests of the panel at PANEL_URL. */
export const test = base.extend<{ admin: Admin; make: Make }, { sessions: Sessions }>({
  sessions: [async ({}, use) => use(new Map()), { scope: 'worker' }],
  admin: async ({ page, sessions }, use) => use(new Admin(page, panelIn(process.env), sessions)),
  make: async ({ admin }, use) => {
    const make = new Make(admin);
    await use(make);
    await make.unmake();
  },
});

/** Reads a secret from the environment. */
export function given(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`this test needs the environment variable ${name}`);
  return value;
}

/** A string from a command's result: `at(added, 'done', 0, 'id')`. */
export function at(result: unknown, ...path: readonly (string | number)[]): string {
  const foundValue = path.reduce<unknown>(
    (node, segment) => (node as Record<string, unknown> | null | undefined)?.[segment],
    result,
  );
  if (typeof foundValue !== 'string') throw new Error(`${path.join('.')} is missing in ${JSON.stringify(result)}`);
  return foundValue;
}

export { expect };
export { PanelError } from './error.ts';
export { Make } from './make.ts';
export { Panel, pressKeys, type Sessions } from './panel.ts';
export { steering } from './steering.ts';
export type { Mail, TestEnvironment } from './environment.ts';
export type { Commands, Lists, Rows } from './commands.ts';
export type { Answer, CommandId, FieldOption, Given, Result, Target } from './result.ts';
