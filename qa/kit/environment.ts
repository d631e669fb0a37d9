import type { APIRequestContext } from '@playwright/test';
import { setTimeout as sleep } from 'node:timers/promises';
import { PanelError } from './error.ts';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  at: string;
}

interface State {
  now: number;
  aheadMs: number;
  unlimited: boolean;
}

export interface TimeSpan {
  days?: number;
  hours?: number;
  minutes?: number;
  seconds?: number;
}

const timeoutMs = 120_000;

/** Controls a test panel (QA_TOOLS=on). Needs the permission permissions.reset. */
export class TestEnvironment {
  readonly #request: APIRequestContext;
  readonly #url: string;
  readonly #authorization: () => Promise<string>;
  readonly #moved: (aheadMs: number) => Promise<void>;
  constructor(
    request: APIRequestContext,
    url: string,
    authorization: () => Promise<string>,
    onClockMoved: (aheadMs: number) => Promise<void> = async () => {},
  ) {
    this.#request = request;
    this.#url = url;
    this.#authorization = authorization;
    this.#moved = onClockMoved;
  }

  /** Resets to a first start, without sessions. */
  async reset(): Promise<void> {
    await this.#ask('POST', 'reset');
    await this.#back();
  }

  /** Saves database, chain and clock under a name of lower-case letters and digits. */
  async keep(name: string): Promise<void> {
    await this.#ask('POST', `keep/${name}`);
    await this.#back();
  }

  /** Restores a save, including sessions. */
  async restore(name: string): Promise<void> {
    await this.#ask('POST', `restore/${name}`);
    await this.#back();
  }

  /** The environment's time. */
  async now(): Promise<Date> {
    return new Date((await this.#state()).now);
  }

  /** Milliseconds ahead of this machine. */
  async aheadMs(): Promise<number> {
    return (await this.#state()).aheadMs;
  }

  async isUnlimited(): Promise<boolean> {
    return (await this.#state()).unlimited;
  }

  /** Advances server, signer, chain and pages. */
  async setTime(at: Date | string): Promise<void> {
    const timestamp = new Date(at).getTime();
    if (Number.isNaN(timestamp))
      throw new PanelError('environment time', { code: 'INVALID', message: `${String(at)} isn’t a valid time` });
    await this.#ask('POST', `time/${timestamp}`);
    await this.#moved((await this.#state()).aheadMs);
  }

  /** Advances the time: `forward({ days: 2 })`. */
  async forward({ days = 0, hours = 0, minutes = 0, seconds = 0 }: TimeSpan): Promise<void> {
    const durationMs = (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
    await this.setTime(new Date((await this.#state()).now + durationMs));
  }

  /** Turns rate limits on or off until `reset`. */
  async limits(state: 'on' | 'off'): Promise<void> {
    await this.#ask('POST', `limits/${state}`);
  }

  /** Mines devnet blocks. */
  async mine(blocks = 1): Promise<void> {
    await this.#ask('POST', `mine/${blocks}`);
  }

  /** Mails to an address, newest first. */
  async mail(to: string): Promise<Mail[]> {
    return (await (await this.#ask('GET', `mail/${encodeURIComponent(to)}`)).json()) as Mail[];
  }

  async #state(): Promise<State> {
    const response = await this.#request.get(`${this.#url}/qa/state`);
    const stateBody = response.ok() ? ((await response.json().catch(() => null)) as State | null) : null;
    return stateBody ?? { now: Date.now(), aheadMs: 0, unlimited: false };
  }

  async #ask(method: 'GET' | 'POST', path: string) {
    const authorization = await this.#authorization();
    const response = await this.#request.fetch(`${this.#url}/qa/${path}`, { method, headers: { authorization } });
    if (response.ok()) return response;
    const errorBody = ((await response.json().catch(() => null)) ?? {}) as { code?: string; requestId?: string };
    const { code = 'ERROR', requestId = null } = errorBody;
    throw new PanelError(`environment ${path}`, { code, message: hints[code] ?? '', requestId });
  }

  async #back(): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const response = await this.#request.get(`${this.#url}/readyz`).catch(() => null);
      if (response?.ok()) return this.#moved(await this.aheadMs());
      if (Date.now() > deadline)
        throw new PanelError('environment', { code: 'NOT_READY', message: 'the panel didn’t become ready again' });
      await sleep(200);
    }
  }
}

const hints: Readonly<Record<string, string>> = {
  NOT_FOUND: 'not found. Check that the panel runs with QA_TOOLS=on and that this name was kept',
  BAD_REQUEST: 'the clock can only move forward, by at most five years. Use reset or restore to move it back',
  FORBIDDEN: 'the account needs the permission permissions.reset, and the database must be a demo database',
};
