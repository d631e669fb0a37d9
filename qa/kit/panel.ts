import { test as playwright, type Cookie, type Page } from '@playwright/test';
import { listSorts } from './commands.ts';
import { TestEnvironment } from './environment.ts';
import { PanelError } from './error.ts';
import { logCommand, setAccount } from './log.ts';
import {
  type WindowWithAdmin,
  callAdmin,
  waitForRecord,
  requireKeysFree,
  waitForOpened,
  runThroughReload,
  waitUntilReady,
} from './page.ts';
import type {
  Answer,
  Anything,
  Asked,
  CommandId,
  CommandSheet,
  EntityName,
  FieldOption,
  GivenTo,
  ListName,
  Result,
} from './result.ts';
import type { Lists, Rows } from './commands.ts';
import { signIn, storedOf, workerOf, type Account, type Post, type Session } from './sign-in.ts';
import { strokesOf } from './strokes.ts';

// Boxed methods must await their step, or Playwright reports the wrong frame.
const boxedStep = { box: true };

/** By email. */
export type Sessions = Map<string, { authorization: string; cookies: Cookie[] }>;

/** Drives a panel by command, palette or keys. */
export class Panel {
  readonly page: Page;
  readonly url: string;
  /** For test panels. */
  readonly environment: TestEnvironment;
  readonly #sessions: Sessions;
  /** `sessions` are shared. */
  constructor(page: Page, url: string, sessions: Sessions = new Map()) {
    this.page = page;
    this.url = url;
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

  /** Resolves once the page shows the result. Rejects with PanelError. */
  async run<Id extends CommandId>(id: Id, ...[given]: GivenTo<Id>): Promise<Result<Id>> {
    return await playwright.step(id, () => this.#run(id, (given ?? {}) as Anything) as Promise<Result<Id>>, boxedStep);
  }

  /** Untyped, to test refusals. */
  async runAny(id: string, commandInput: Anything = {}): Promise<Answer> {
    return await playwright.step(id, () => this.#run(id, commandInput), boxedStep);
  }

  #run(id: string, commandInput: Anything): Promise<Answer> {
    const targets = commandInput.targets?.map((target) =>
      typeof target === 'string' ? target : { id: target.id, version: target.version },
    );
    const ids = (targets ?? []).map((target) => (typeof target === 'string' ? target : `${target.id}@${target.version}`));
    const entry = { command: id, how: 'script', targets: ids, params: Object.keys(commandInput.params ?? {}) } as const;
    const interruptedResult: Answer = { done: [], failed: [], value: null };
    return logCommand(this.page, playwright.info(), entry, () =>
      runThroughReload(this.page, playwright.info(), id, interruptedResult, () =>
        callAdmin<Answer>(this.page, id, ids, ['run', id, { ...commandInput, ...(targets ? { targets } : {}) }]),
      ),
    );
  }

  /** Rows of a list. Filters are spelled as in the address. */
  async read<Name extends ListName>(list: Name, listRequest: Asked<Name> = {}): Promise<Lists[Name]['row'][]> {
    const entry = { command: `read ${list}`, how: 'read' } as const;
    return await playwright.step(
      entry.command,
      () =>
        logCommand(this.page, playwright.info(), entry, () =>
          callAdmin<Lists[Name]['row'][]>(
            this.page,
            entry.command,
            [],
            ['read', list, { sort: listSorts[list], ...listRequest }],
          ),
        ),
      boxedStep,
    );
  }

  /** Reads a record, or null. */
  async get<Name extends EntityName>(entity: Name, id: string): Promise<Rows[Name] | null> {
    const entry = { command: `get ${entity}`, how: 'read', targets: [id] } as const;
    return await playwright.step(
      `${entry.command} ${id}`,
      () =>
        logCommand(this.page, playwright.info(), entry, () =>
          callAdmin<Rows[Name] | null>(this.page, entry.command, [id], ['get', entity, id]),
        ),
      boxedStep,
    );
  }

  /** The options of a form field. `params`: what the form already holds. */
  async options(
    command: CommandId,
    field: string,
    listRequest: { targets?: readonly string[]; params?: Readonly<Record<string, unknown>>; query?: string } = {},
  ): Promise<FieldOption[]> {
    const entry = { command: `options of ${command}`, how: 'read' } as const;
    return await playwright.step(
      `${entry.command} ${field}`,
      () =>
        logCommand(this.page, playwright.info(), entry, () =>
          callAdmin<FieldOption[]>(this.page, entry.command, [], ['options', command, { field, ...listRequest }]),
        ),
      boxedStep,
    );
  }

  /** Commands the account may use. */
  list(): Promise<CommandSheet[]> {
    return this.page.evaluate(() => (window as WindowWithAdmin).admin?.list() ?? []);
  }

  /** Whether a command can run here. */
  assess(id: string): Promise<{ state: 'ok' | 'hidden' | 'blocked'; reason?: string }> {
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
