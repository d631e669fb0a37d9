import type { Page } from '@playwright/test';
import { PanelError } from './error.ts';

/** A mail that the panel sent, or would have. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  at: string;
}

const longest = 120_000;

/** Steers a panel that was started for tests (QA_TOOLS=on); any other refuses. The account must have the right permissions.reset. */
export class TestEnvironment {
  readonly #page: Page;
  readonly #url: string;
  constructor(page: Page, url: string) {
    this.#page = page;
    this.#url = url;
  }

  /** As at a first start: whoever was signed in is not any more. */
  async reset(): Promise<void> {
    await this.#ask('POST', 'reset');
    await this.#back();
  }

  /** Keeps database and chain under a name of small letters and digits, over what was kept so. */
  async keep(name: string): Promise<void> {
    await this.#ask('POST', `keep/${name}`);
    await this.#back();
  }

  /** Brings back what was kept, its sessions too. */
  async restore(name: string): Promise<void> {
    await this.#ask('POST', `restore/${name}`);
    await this.#back();
  }

  /** Lets the devnet make blocks now. */
  async mine(blocks = 1): Promise<void> {
    await this.#ask('POST', `mine/${blocks}`);
  }

  /** What was mailed to somebody, the newest first. */
  async mail(to: string): Promise<Mail[]> {
    return (await (await this.#ask('GET', `mail/${encodeURIComponent(to)}`)).json()) as Mail[];
  }

  async #ask(method: 'GET' | 'POST', path: string) {
    const authorization = await this.#page.evaluate(() => localStorage.getItem('Authorization') ?? '');
    const answer = await this.#page.request.fetch(`${this.#url}/qa/${path}`, { method, headers: { authorization } });
    if (answer.ok()) return answer;
    const { code = 'ERROR', requestId = null } = ((await answer.json().catch(() => null)) ?? {}) as {
      code?: string;
      requestId?: string;
    };
    const message =
      code === 'NOT_FOUND' ? 'there is no such thing here: is it a panel with QA_TOOLS=on, and was it kept under this name?' : '';
    throw new PanelError(`environment ${path}`, { code, message, requestId });
  }

  /** It starts anew behind its answer. */
  async #back(): Promise<void> {
    const until = Date.now() + longest;
    for (;;) {
      const answer = await this.#page.request.get(`${this.#url}/readyz`).catch(() => null);
      if (answer?.ok()) return;
      if (Date.now() > until) throw new PanelError('environment', { code: 'NOT_READY', message: 'the panel does not come back' });
      await this.#page.waitForTimeout(200);
    }
  }
}
