import type { Page, TestInfo } from '@playwright/test';

/** Without values, which may be secret. */
export interface LogEntry {
  at: string;
  command: string;
  how: 'script' | 'palette' | 'key' | 'read' | 'button' | 'menu' | 'row' | 'link' | 'undo' | 'repeat' | 'macro';
  /** Empty after a sign-in by hand. */
  as: string;
  targets: readonly string[];
  params: readonly string[];
  /** 'done', 'partly', 'opened' (a dialog remains), 'canceled', 'failed', or the error code. */
  outcome: string;
  milliseconds: number;
  requests: { route: string; status: number; requestId: string | null }[];
}

const logsByTest = new WeakMap<TestInfo, LogEntry[]>();

export interface SignedInAccount {
  email: string;
  granted: readonly string[];
}

const accountByPage = new WeakMap<Page, SignedInAccount>();
const accountsByTest = new WeakMap<TestInfo, Map<string, SignedInAccount>>();

export function setAccount(page: Page, test: TestInfo, worker: SignedInAccount): void {
  accountByPage.set(page, worker);
  noteAccount(test, worker);
}

export function noteAccount(test: TestInfo, account: SignedInAccount): void {
  accountsByTest.set(test, (accountsByTest.get(test) ?? new Map()).set(account.email, account));
}

export function logOf(test: TestInfo): LogEntry[] {
  const existingLog = logsByTest.get(test) ?? [];
  logsByTest.set(test, existingLog);
  return existingLog;
}

export type LoggedCall = Pick<LogEntry, 'command' | 'how'> & Partial<Pick<LogEntry, 'targets' | 'params'>>;

export async function logCommand<T>(page: Page, test: TestInfo, call: LoggedCall, callback: () => Promise<T>): Promise<T> {
  const entry = entryOf(accountByPage.get(page)?.email, call);
  const onResponse = (response: Awaited<ReturnType<Page['waitForResponse']>>) => {
    const path = new URL(response.url()).pathname;
    if (path.startsWith('/rpc/'))
      entry.requests.push({
        route: path.slice(5),
        status: response.status(),
        requestId: response.headers()['x-request-id'] ?? null,
      });
  };
  page.on('response', onResponse);
  try {
    return await logOutcome(test, entry, callback);
  } finally {
    page.off('response', onResponse);
  }
}

/** For a client without a page, which reports its own requests. */
export function logCall<T>(
  test: TestInfo,
  email: string,
  call: LoggedCall,
  callback: (requests: LogEntry['requests']) => Promise<T>,
): Promise<T> {
  const entry = entryOf(email, call);
  return logOutcome(test, entry, () => callback(entry.requests));
}

async function logOutcome<T>(test: TestInfo, entry: LogEntry, callback: () => Promise<T>): Promise<T> {
  logOf(test).push(entry);
  const startedAt = performance.now();
  try {
    const result = await callback();
    if (entry.how === 'script' && hasFailedItems(result)) entry.outcome = 'partly';
    return result;
  } catch (error) {
    entry.outcome = (error as { code?: string }).code ?? 'ERROR';
    throw error;
  } finally {
    entry.milliseconds = Math.round(performance.now() - startedAt);
  }
}

const hasFailedItems = (result: unknown): boolean =>
  ((result as { failed?: readonly unknown[] } | undefined)?.failed?.length ?? 0) > 0;

const entryOf = (email = '', { command, how, targets = [], params = [] }: LoggedCall): LogEntry => ({
  at: new Date().toISOString(),
  command,
  how,
  as: email,
  targets,
  params,
  outcome: how === 'palette' || how === 'key' ? 'opened' : 'done', // the page reports how these end
  milliseconds: 0,
  requests: [],
});

interface CommandEventDetail {
  id: string;
  source: LogEntry['how'];
  status: string;
  failed?: number;
}

export async function logPageCommands(page: Page, test: TestInfo): Promise<void> {
  await page.exposeFunction('qaHear', ({ id, source, status, failed }: CommandEventDetail) => {
    if (source === 'script') return; // the kit has the result
    const log = logOf(test);
    const openEntry = log.findLast(({ command, how, outcome }) => command === id && how === source && outcome === 'opened');
    const entry = openEntry ?? entryOf(accountByPage.get(page)?.email, { command: id, how: source });
    entry.outcome = status === 'done' && failed ? 'partly' : status;
    if (!openEntry) log.push(entry);
  });
  await page.addInitScript(() => {
    const { qaHear } = window as unknown as { qaHear?: (event: unknown) => void };
    addEventListener('panel-command', (event) => qaHear?.((event as CustomEvent<unknown>).detail));
  });
}

/** A command that left the page counts as done. */
export function markReloaded(test: TestInfo, id: string): void {
  const entry = logOf(test).findLast(({ command, outcome }) => command === id && outcome === 'opened');
  if (entry) entry.outcome = 'done';
}

export async function attachLog(test: TestInfo): Promise<void> {
  const entries = logOf(test);
  if (entries.length > 0) await attach(test, 'commands.json', entries);
  const accounts = [...(accountsByTest.get(test)?.values() ?? [])];
  if (accounts.length > 0) await attach(test, 'accounts.json', accounts);
}

const attach = (test: TestInfo, name: string, content: unknown): Promise<void> =>
  test.attach(name, { body: JSON.stringify(content, null, 2), contentType: 'application/json' });
