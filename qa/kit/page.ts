import type { Page, TestInfo } from '@playwright/test';
import { describeTargets, PanelError, versionMismatch, type Refusal } from './error.ts';
import { markReloaded } from './log.ts';
import type { CommandId, PageAdmin } from './result.ts';

export type WindowWithAdmin = Window & { admin?: PageAdmin };

/** Waits until the page accepts commands, unless `path` leads to sign-in or an error. */
export async function waitUntilReady(page: Page, test: TestInfo, path: string | null): Promise<void> {
  const state = await page
    .waitForFunction(
      (isOpened) => {
        const currentPath = window.location.pathname;
        if (isOpened && currentPath === '/login') return 'SIGNED_OUT';
        if (isOpened && currentPath === '/404') return 'NOT_PERMITTED';
        return (window as WindowWithAdmin).admin ? `ready ${(window as WindowWithAdmin).admin?.version ?? ''}` : null;
      },
      path !== null,
      { timeout: 30_000, polling: 50 }, // the default would force rendering every frame
    )
    .then((handle) => handle.jsonValue())
    .catch((error: unknown) => {
      const problem = String(error).split('\n')[0];
      const message = `${page.url()} isn’t ready for commands: ${problem}`;
      throw new PanelError('open', { code: 'NOT_READY', message });
    });
  if (state === 'SIGNED_OUT')
    throw new PanelError('open', { code: state, message: `not signed in: ${path} opened the sign-in page` });
  if (state === 'NOT_PERMITTED') throw new PanelError('open', { code: state, message: `this account has no screen ${path}` });
  checkVersion(test, String(state).slice('ready '.length));
}

/** Annotates a version that differs. Throws PanelError for one that doesn't fit. */
export function checkVersion({ annotations }: TestInfo, panelVersion: string): void {
  const mismatch = versionMismatch(panelVersion);
  if (mismatch?.breaks) throw new PanelError('open', { code: 'OTHER_VERSION', message: mismatch.message });
  if (mismatch && !annotations.some(({ description }) => description === mismatch.message))
    annotations.push({ type: 'version', description: mismatch.message });
}

/** These reload the page. */
const reloadingCommands: readonly string[] = ['language.switch', 'panel.reload'];

/** Waits for a reload. `interruptedResult`: the result if the page took it along. */
export async function runThroughReload<T>(
  page: Page,
  test: TestInfo,
  id: string,
  interruptedResult: T,
  callback: () => Promise<T>,
): Promise<T> {
  if (!reloadingCommands.includes(id)) return callback();
  await page.evaluate(() => void Object.assign(window, { qaBefore: true }));
  const result = await callback().catch((error: unknown) => {
    if (!isNavigationError(error)) throw error;
    return interruptedResult;
  });
  await page
    .waitForFunction(() => !('qaBefore' in window), null, { timeout: 30_000, polling: 50 })
    .catch(() => {
      throw new PanelError(id, { code: 'NOT_READY', message: `${page.url()} didn’t reload` });
    });
  await waitUntilReady(page, test, new URL(page.url()).pathname);
  markReloaded(test, id);
  return result;
}

const isNavigationError = (error: unknown): boolean => /navigation|context was destroyed/i.test(String(error));

/** Waits for the record in the address. */
export async function waitForRecord(page: Page): Promise<void> {
  await page
    .waitForFunction(
      () => !new URLSearchParams(window.location.search).has('open') || document.querySelector('[data-record]') !== null,
      null,
      { timeout: 5_000 },
    )
    .catch(() => {});
}

/** Dialogs and fields capture keys. */
export async function requireKeysFree(page: Page, id: CommandId, keys: string): Promise<void> {
  const findBlocker = () =>
    page.evaluate((isTyped) => {
      const { activeElement } = document;
      const dialog = [...document.querySelectorAll('[role="dialog"],[role="alertdialog"]')].find(
        (dialog) => dialog.checkVisibility() && !dialog.querySelector('[data-record]'),
      );
      if (dialog)
        return `a dialog is open: ${dialog.getAttribute('aria-label') ?? dialog.querySelector('h2')?.textContent ?? ''}`;
      return isTyped && activeElement?.matches('input:not([type="checkbox"]):not([type="radio"]),textarea,select')
        ? `the focus is in a field: ${activeElement.getAttribute('aria-label') ?? activeElement.id}`
        : null;
    }, !keys.includes('mod+'));
  let blocker = await findBlocker();
  for (const deadline = Date.now() + 3_000; blocker && Date.now() < deadline; blocker = await findBlocker())
    await page.waitForTimeout(50);
  if (blocker) throw new PanelError(id, { code: 'BLOCKED', message: `the shortcut would trigger something else: ${blocker}` });
}

/** A command may leave the page. */
export async function waitForOpened(page: Page, id: CommandId): Promise<void> {
  const problem = await page
    .evaluate(async () => {
      try {
        await (window as WindowWithAdmin).admin?.opened?.();
        return null;
      } catch (cause) {
        return (cause as Error).message;
      }
    })
    .catch((error: unknown) => {
      if (!isNavigationError(error)) throw error;
      return null;
    });
  if (problem) throw new PanelError(id, { code: 'NOT_READY', message: problem });
}

/** Except on sign-in or another site. */
async function waitForScripts(page: Page): Promise<void> {
  const { protocol, pathname } = new URL(page.url());
  if (!protocol.startsWith('http') || pathname === '/login') return;
  await page
    .waitForFunction(() => (window as WindowWithAdmin).admin ?? window.location.pathname === '/login', null, {
      timeout: 10_000,
      polling: 50,
    })
    .catch(() => {});
}

/** Rejects with PanelError. */
export async function callAdmin<T>(
  page: Page,
  command: string,
  targetIds: readonly string[],
  methodCall: readonly [keyof PageAdmin, string, unknown],
): Promise<T> {
  await waitForScripts(page);
  const result = await page.evaluate(
    async ([method, name, input]) => {
      const { admin } = window as WindowWithAdmin;
      if (!admin) return { error: { code: 'SIGNED_OUT', message: `not signed in at ${window.location.pathname}` } };
      const method_ = admin[method] as (firstArgument: string, secondArgument: unknown) => Promise<unknown>;
      try {
        return { result: await method_(name, input) };
      } catch (cause) {
        const { code, message, reason, issues, data, current, requestId } = cause as Partial<Refusal>;
        return { error: { code: code ?? 'ERROR', message, reason, issues, data, current, requestId } };
      }
    },
    [...methodCall] as [(typeof methodCall)[0], string, unknown],
  );
  if (result.error)
    throw new PanelError(command, result.error as Partial<Refusal> & { code: string }, describeTargets(targetIds));
  return result.result as T;
}
