import { test as base, expect, type Page } from 'playwright/test';
import pg from 'pg';
import type { CommandId } from '../api/names.ts';
import type { AdminScript, ScriptCommand } from '../src/commands/surfaces/script.ts';
import { demoAccounts, demoPassword, type RoleName } from '../server/seeded-roles.ts';
import { copyTemplate } from './support/database.ts';
import { startServer, type TestServer } from './support/server.ts';

/** Scripts the panel as QA does: by command, through the palette, or by its keys. See e2e/README.md. */
export class Admin {
  readonly page: Page;
  readonly url: string;
  constructor(page: Page, url: string) {
    this.page = page;
    this.url = url;
  }

  /** Signs in through the API as one of the seeded roles and opens a screen. */
  async signIn(role: RoleName = 'all', path = '/'): Promise<void> {
    const { email } = demoAccounts.find((account) => account.role === role) ?? demoAccounts[0];
    const answer = await this.page.request.post(`${this.url}/api/session`, { data: { email, password: demoPassword } });
    expect(answer.status(), await answer.text()).toBe(200);
    const { authorization, access } = await answer.json();
    await this.page.goto(`${this.url}/healthz`); // any page of the same origin, to reach its storage
    await this.page.evaluate(
      (stored) => {
        for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value);
      },
      {
        Authorization: String(authorization),
        permittedRoutes: JSON.stringify(access.permittedRoutes),
        'prefs.access': JSON.stringify({ email: access.email, codes: access.codes }),
      },
    );
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

const pressed: Record<string, string> = {
  mod: 'Control',
  shift: 'Shift',
  alt: 'Alt',
  ctrl: 'Control',
  up: 'ArrowUp',
  down: 'ArrowDown',
  space: ' ',
};

/** Presses keys as commands name them: 'mod+k', 'g n', '#'. */
export async function pressKeys(page: Page, keys: string): Promise<void> {
  for (const stroke of keys.split(' ')) await page.keyboard.press(pressOf(stroke));
}

/** 'mod+k' as Playwright presses it. */
const pressOf = (stroke: string): string =>
  stroke
    .split('+')
    .map((key) => pressed[key] ?? (key.length > 1 ? key.charAt(0).toUpperCase() + key.slice(1) : key))
    .join('+')
    .replace(/^Shift\+([a-z])$/, (_, key: string) => `Shift+${key.toUpperCase()}`);

type OwnServer = TestServer & { databaseUrl: string };

interface WorkerFixtures {
  /** The server of a file: its tests share it one after another, the next file has another. */
  serverOf: (file: string, env: Record<string, string>) => Promise<OwnServer>;
}
interface Fixtures {
  /** Environment of the file's server, besides what every one has. */
  serverEnv: Record<string, string>;
  server: OwnServer;
  admin: Admin;
  /** Reads and writes the file's own database. */
  db: pg.Client;
  /** Whatever the page complained of: empty at the end of every test. */
  complaints: string[];
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  serverOf: [
    async ({}, use, { workerIndex }) => {
      const running = new Map<string, OwnServer>();
      const stop = async () => {
        for (const server of running.values()) await server.stop();
        running.clear();
      };
      await use(async (file, env) => {
        const there = running.get(file);
        if (there) return there;
        await stop();
        const databaseUrl = await copyTemplate(`e2e_${workerIndex}`);
        const server = { ...(await startServer(databaseUrl, env)), databaseUrl };
        running.set(file, server);
        return server;
      });
      await stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  serverEnv: [{}, { option: true }],
  server: [
    async ({ serverOf, serverEnv }, use, { file }) => use(await serverOf(file, serverEnv)),
    { timeout: 90_000 }, // the first test of a file starts it
  ],
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
  admin: async ({ page, server }, use) => {
    await use(new Admin(page, server.url));
  },
  db: async ({ server }, use) => {
    const client = new pg.Client({ connectionString: server.databaseUrl });
    await client.connect();
    await use(client);
    await client.end();
  },
});

export { expect };
