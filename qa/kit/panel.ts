import { test as playwright, type APIRequestContext, type Cookie, type Page } from '@playwright/test';
import { boxedStep, CommandClient } from './client.ts';
import { TestEnvironment } from './environment.ts';
import { PanelError } from './error.ts';
import { logCommand, setAccount, type LoggedCall } from './log.ts';
import {
  type WindowWithAdmin,
  callAdmin,
  waitForRecord,
  requireKeysFree,
  waitForOpened,
  runThroughReload,
  waitUntilReady,
} from './page.ts';
import type { Answer, Assessment, CommandId, CommandSheet } from './result.ts';
import { signIn, storedOf, workerOf, type Account, type Post, type Session } from './sign-in.ts';
import { strokesOf } from './strokes.ts';

/** By email. */
export type Sessions = Map<string, { authorization: string; cookies: Cookie[] }>;

/** Drives a panel by command, palette or keys. */
export class Panel extends CommandClient {
  readonly page: Page;
  readonly url: string;
  readonly request: APIRequestContext;
  readonly environment: TestEnvironment;
  readonly #sessions: Sessions;
  /** `sessions` are shared. */
  constructor(page: Page, url: string, sessions: Sessions = new Map()) {
    super();
    this.page = page;
    this.url = url;
    this.request = page.request;
    this.#sessions = sessions;
    const authorization = () => page.evaluate(() => localStorage.getItem('Authorization') ?? '');
    this.environment = new TestEnvironment(page.request, url, authorization, (aheadMs) =>
      page.evaluate((aheadMs) => {
        const { qaClock } = window as { qaClock?: { ahead: number } };
        if (qaClock) qaClock.ahead = aheadMs;
      }, aheadMs),
    );
  }

  readonly post: Post = async (path, data) => {
    const response = await this.page.request.post(`${this.url}${path}`, data === undefined ? {} : { data });
    return { ok: response.ok(), body: await response.json().catch(() => null) };
  };

  /** Reuses a session with current permissions, or signs in. */
  protected async session(account: Account): Promise<Session> {
    const context = this.page.context();
    const previousCookies = await context.cookies(this.url);
    try {
      return await this.#session(account);
    } catch (error) {
      await context.clearCookies({ domain: new URL(this.url).hostname });
      await context.addCookies(previousCookies);
      throw error;
    }
  }

  async #session(account: Account): Promise<Session> {
    const context = this.page.context();
    const keptSession = this.#sessions.get(account.email);
    if (keptSession) {
      await context.addCookies(keptSession.cookies);
      const { authorization } = keptSession;
      const response = await this.page.request.get(`${this.url}/api/session`, { headers: { authorization } });
      if (response.ok()) return { authorization, access: (await response.json()) as Session['access'] };
    }
    const session = await signIn(this.post, account, () => this.environment.aheadMs());
    this.#sessions.set(account.email, { authorization: session.authorization, cookies: await context.cookies(this.url) });
    return session;
  }

  /** Loads a session into this page and opens a screen. */
  async enter(session: Session, path: string, label?: string): Promise<void> {
    setAccount(this.page, playwright.info(), workerOf(session, label));
    // Before the page's first script, at the panel's origin only.
    const initInput = { origin: new URL(this.url).origin, stored: { ...storedOf(session), 'prefs.expert': 'on' } };
    const initScript = await this.page.addInitScript(({ origin, stored }) => {
      if (location.origin === origin) Object.assign(localStorage, stored);
    }, initInput);
    try {
      await this.page.goto(`${this.url}${path}`);
    } finally {
      await initScript.dispose();
    }
    await waitUntilReady(this.page, playwright.info(), path);
  }

  /** Opens a screen and waits for it. Rejects without a session or permission. */
  async open(path: string): Promise<void> {
    return await playwright.step(
      `open ${path}`,
      async () => {
        await this.page.goto(`${this.url}${path}`);
        await waitUntilReady(this.page, playwright.info(), path);
      },
      boxedStep,
    );
  }

  /** Waits until commands are accepted. */
  async ready(): Promise<void> {
    await waitUntilReady(this.page, playwright.info(), null);
  }

  protected call<T>(
    call: LoggedCall & { targets: readonly string[] },
    method: 'run' | 'read' | 'get' | 'options',
    name: string,
    input: unknown,
  ): Promise<T> {
    const test = playwright.info();
    const callPage = () => callAdmin<T>(this.page, call.command, call.targets, [method, name, input]);
    const interruptedResult: Answer = { done: [], failed: [], value: null };
    return logCommand(this.page, test, call, () =>
      method === 'run' ? runThroughReload(this.page, test, name, interruptedResult as T, callPage) : callPage(),
    );
  }

  list(): Promise<CommandSheet[]> {
    return this.page.evaluate(() => (window as WindowWithAdmin).admin?.list() ?? []);
  }

  assess(id: string): Promise<Assessment> {
    return this.page.evaluate((command) => (window as WindowWithAdmin).admin?.assess(command) ?? { state: 'hidden' }, id);
  }

  /** Runs a command by the palette. Resolves when it is done or its dialog is open. */
  async palette(id: CommandId): Promise<void> {
    return await playwright.step(
      `palette ${id}`,
      () =>
        logCommand(this.page, playwright.info(), { command: id, how: 'palette' }, async () => {
          await this.#mayRun(id);
          await this.page.keyboard.press('Control+k');
          await this.page.locator('[data-palette-input]').fill(id);
          await this.page.locator(`[data-palette] [data-row="${id}"]`).first().waitFor();
          await runThroughReload(this.page, playwright.info(), id, undefined, async () => {
            await this.page.keyboard.press('Enter');
            await waitForOpened(this.page, id);
          });
        }),
      boxedStep,
    );
  }

  /** Presses a command's keys. Resolves when it is done or its dialog is open. */
  async key(id: CommandId): Promise<void> {
    return await playwright.step(
      `key ${id}`,
      () =>
        logCommand(this.page, playwright.info(), { command: id, how: 'key' }, async () => {
          await this.#mayRun(id);
          const commandSheet = (await this.list()).find((candidate) => candidate.id === id);
          const [keys] = commandSheet?.keys ?? [];
          if (!keys) throw new PanelError(id, { code: 'BLOCKED', message: 'the command has no shortcut here' });
          const currentPath = new URL(this.page.url()).pathname;
          if (commandSheet?.place.startsWith('/') && commandSheet.place !== currentPath)
            throw new PanelError(id, {
              code: 'BLOCKED',
              message: `the shortcut belongs to ${commandSheet.place}, but the page is ${currentPath}`,
            });
          await requireKeysFree(this.page, id, keys);
          await runThroughReload(this.page, playwright.info(), id, undefined, async () => {
            await pressKeys(this.page, keys);
            await waitForOpened(this.page, id);
          });
        }),
      boxedStep,
    );
  }

  async #mayRun(id: CommandId): Promise<void> {
    await waitForRecord(this.page);
    const { state, reason } = await this.assess(id);
    if (state === 'hidden') throw new PanelError(id, { code: 'NOT_PERMITTED', message: 'this account doesn’t have the command' });
    if (state === 'blocked') throw new PanelError(id, { code: 'BLOCKED', message: reason ?? '' });
  }
}

/** Presses 'mod+k', 'g n' or '#'. */
export async function pressKeys(page: Page, keys: string): Promise<void> {
  for (const stroke of strokesOf(keys)) await page.keyboard.press(stroke);
}
