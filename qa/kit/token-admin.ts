import { test as playwright, type APIRequestContext } from '@playwright/test';
import { CommandClient } from './client.ts';
import type { Engine } from './engine.ts';
import { TestEnvironment } from './environment.ts';
import { PanelError } from './error.ts';
import { logCall, noteAccount, type LoggedCall } from './log.ts';
import { checkVersion } from './page.ts';
import type { Assessment, CommandSheet } from './result.ts';
import type { Account, Post } from './sign-in.ts';

/** A panel driven with PANEL_TOKEN, without a page. */
export class TokenAdmin extends CommandClient {
  readonly url: string;
  readonly request: APIRequestContext;
  readonly environment: TestEnvironment;
  readonly #engine: Engine;

  constructor(url: string, request: APIRequestContext, engine: Engine) {
    super();
    this.url = url;
    this.request = request;
    this.#engine = engine;
    this.environment = new TestEnvironment(request, url, async () => {
      throw needsPerson('environment', 'the permission permissions.reset, which no token can have');
    });
  }

  readonly post: Post = async (path, data) => {
    const response = await this.request.post(`${this.url}${path}`, data === undefined ? {} : { data });
    return { ok: response.ok(), body: await response.json().catch(() => null) };
  };

  /** Checks the token, and that it may read the screen. Opens nothing. */
  async signIn(path = '/', account?: Account): Promise<void> {
    return await playwright.step(
      'sign in with PANEL_TOKEN',
      async () => {
        if (account) throw needsPerson('sign in', `an account, here ${account.email}, and PANEL_TOKEN is set`);
        const { granted } = await this.#open();
        const { pathname } = new URL(path, this.url);
        if (pathname !== '/' && !granted.includes(pathname))
          throw new PanelError('open', { code: 'NOT_PERMITTED', message: `this token has no screen ${pathname}` });
      },
      { box: true },
    );
  }

  async list(): Promise<CommandSheet[]> {
    return this.#ask('list', '');
  }

  async assess(id: string): Promise<Assessment> {
    return this.#ask('assess', id);
  }

  protected async call<T>(
    call: LoggedCall & { targets: readonly string[] },
    method: 'run' | 'read' | 'get' | 'options',
    name: string,
    input: unknown,
  ): Promise<T> {
    const { email } = await this.#open();
    const test = playwright.info();
    return logCall(test, email, call, (requests) =>
      this.#engine.call<T>(call.command, call.targets, { method, name, input, folder: test.outputDir }, requests),
    );
  }

  async #ask<T>(method: 'list' | 'assess', name: string): Promise<T> {
    await this.#open();
    return this.#engine.call<T>(name || method, [], { method, name, input: null, folder: '' }, []);
  }

  async #open() {
    const token = await this.#engine.open();
    const test = playwright.info();
    checkVersion(test, token.version);
    noteAccount(test, token);
    return token;
  }

  /** As in a page, to refuse it. */
  get page(): never {
    throw needsPage('page');
  }
  open(path: string): Promise<never> {
    return Promise.reject(needsPage(`open ${path}`));
  }
  ready(): Promise<never> {
    return Promise.reject(needsPage('ready'));
  }
  palette(id: string): Promise<never> {
    return Promise.reject(needsPage(id));
  }
  key(id: string): Promise<never> {
    return Promise.reject(needsPage(id));
  }
}

const needsPerson = (subject: string, what: string) =>
  new PanelError(subject, { code: 'NOT_FOR_SERVICES', message: `this needs ${what}. Run the test with an account instead` });

export const needsPage = (subject: string) =>
  new PanelError(subject, {
    code: 'NEEDS_PAGE',
    message: 'this needs a page, and a page needs a person. Run the test with an account instead of PANEL_TOKEN',
  });
