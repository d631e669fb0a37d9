import { test as playwright, expect, type Page } from 'playwright/test';
import type { CommandId } from '../api/names.ts';
import {
  accountIn,
  panelIn,
  placeOf,
  signIn,
  storedOf,
  type Account,
  type Post,
  type Session,
} from '../scripts/command/sign-in.ts';
import { strokesOf } from './support/strokes.ts';
import type { AdminScript, ScriptCommand } from '../src/commands/app/script.ts';

/** A page of a panel, worked by command, through the palette, or by keys. See e2e/README.md. */
export class Panel {
  readonly page: Page;
  readonly url: string;
  constructor(page: Page, url: string) {
    this.page = page;
    this.url = url;
  }

  /** A request as this page's browser would make it. */
  readonly post: Post = async (path, data) => {
    const answer = await this.page.request.post(`${this.url}${path}`, data === undefined ? {} : { data });
    return { ok: answer.ok(), body: await answer.json().catch(() => null) };
  };

  /** Takes a session up in this page and opens a screen. */
  async enter(session: Session, path: string): Promise<void> {
    await this.page.goto(`${this.url}/healthz`); // any page of the same origin, to reach its storage
    await this.page.evaluate((stored) => void Object.assign(localStorage, stored), {
      ...storedOf(session),
      'prefs.expert': 'on', // who scripts the panel is QA
    });
    await this.open(path);
  }

  /** Opens a screen and waits until commands can be given. */
  async open(path: string): Promise<void> {
    await this.page.goto(`${this.url}${path}`);
    await this.ready();
  }

  async ready(): Promise<void> {
    await this.page.waitForFunction(() => window.admin !== undefined);
  }

  /** Runs a command as a script; rejects with its code when it does not run. */
  async run<R = unknown>(id: CommandId, options: Parameters<AdminScript['run']>[1] = {}): Promise<R> {
    const answer = await this.page.evaluate(
      async ([command, given]) => {
        try {
          if (!window.admin) throw new Error('no one is signed in here');
          return { result: await window.admin.run(command, given) };
        } catch (error) {
          const { code, message, issues } = error as { code?: string; message: string; issues?: unknown };
          return { error: { code: code ?? 'ERROR', message, issues } };
        }
      },
      [id, options] as const,
    );
    if (answer.error) throw Object.assign(new Error(`${answer.error.code}: ${answer.error.message}`), answer.error);
    return answer.result as R;
  }

  list(): Promise<ScriptCommand[]> {
    return this.page.evaluate(() => window.admin?.list() ?? []);
  }

  assess(id: CommandId): Promise<{ state: string; reason?: string }> {
    return this.page.evaluate((command) => window.admin?.assess(command) ?? { state: 'hidden' }, id);
  }

  /** Runs a command through the palette: its exact id is always the first row. */
  async palette(id: CommandId): Promise<void> {
    await this.page.keyboard.press('Control+k');
    const input = this.page.locator('[data-palette-input]');
    await input.fill(id);
    await expect(this.page.locator('[data-palette] [cmdk-item]').first()).toHaveAttribute('data-row', id);
    await this.page.keyboard.press('Enter');
  }

  /** Presses a command's first keys. */
  async key(id: CommandId): Promise<void> {
    const command = (await this.list()).find((known) => known.id === id);
    const [keys] = command?.keys ?? [];
    if (!keys) throw new Error(`${id} has no keys here`);
    await pressKeys(this.page, keys);
  }
}

/** Presses keys as commands name them: 'mod+k', 'g n', '#'. */
export async function pressKeys(page: Page, keys: string): Promise<void> {
  for (const stroke of strokesOf(keys)) await page.keyboard.press(stroke);
}

/** What every test of a panel has: the page it complains in. */
export const base = playwright.extend<{
  /** Whatever the page complained of: empty at the end of every test. */
  complaints: string[];
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
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
});

/** A deployed panel, by address and account: no database, no server of the test's own. */
export class Admin extends Panel {
  readonly #sessions: Map<string, Session>;
  constructor(page: Page, url: string, sessions: Map<string, Session> = new Map()) {
    super(page, url);
    this.#sessions = sessions;
  }

  /** Signs in and opens a screen: as PANEL_EMAIL, or as the account given. The tests of a run share an account's session while it lasts. */
  async signIn(path = '/', account: Account = accountIn(process.env)): Promise<void> {
    const place = placeOf(this.url, account.email, process.env);
    const known = place.read();
    if (known) await this.page.context().addCookies([{ ...known, url: this.url, sameSite: 'Strict', httpOnly: true }]);
    const session = (await this.#standing(account.email)) ?? (await signIn(this.post, account));
    place.keep(await this.page.context().cookies(this.url));
    this.#sessions.set(account.email, session);
    await this.enter(session, path);
  }

  async #standing(email: string): Promise<Session | null> {
    const session = this.#sessions.get(email);
    if (!session) return null;
    const { authorization } = session;
    const answer = await this.page.request.get(`${this.url}/api/session`, { headers: { authorization } });
    return answer.ok() ? { authorization, access: await answer.json() } : null;
  }
}

/** Tests of the panel that PANEL_URL, PANEL_EMAIL and PANEL_PASSWORD name. */
export const test = base.extend<{ admin: Admin }, { sessions: Map<string, Session> }>({
  sessions: [async ({}, use) => use(new Map()), { scope: 'worker' }],
  admin: async ({ page, sessions }, use) => use(new Admin(page, panelIn(process.env), sessions)),
});

/** A value that stands in no file, such as a password: from the environment. */
export function given(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`set ${name}: this test asks for it`);
  return value;
}

/** The text at a place in a command's result: `at(added, 'row', 'id')`. */
export function at(result: unknown, ...path: readonly (string | number)[]): string {
  const found = path.reduce<unknown>((here, part) => (here as Record<string, unknown> | null | undefined)?.[part], result);
  if (typeof found !== 'string') throw new Error(`there is no ${path.join('.')} in ${JSON.stringify(result)}`);
  return found;
}

export { expect };
