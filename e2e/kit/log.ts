import type { Page, TestInfo } from '@playwright/test';

/** One command that a test gave, as it stands in the report. No parameters: some are secret. */
export interface LogEntry {
  at: string;
  command: string;
  /** By what: the kit's own ways, or what the test did to the page itself (a button, a menu, its own keys). */
  how: 'script' | 'palette' | 'key' | 'read' | 'button' | 'menu' | 'row' | 'link' | 'undo' | 'repeat' | 'macro';
  /** Whose session it was; empty where the test signed in by hand. */
  as: string;
  targets: readonly string[];
  /** The names of what it was told. */
  params: readonly string[];
  outcome: string;
  milliseconds: number;
  requests: { route: string; status: number; requestId: string | null }[];
}

const logs = new WeakMap<TestInfo, LogEntry[]>();

/** Who works a page, and what the account may: rights and screens. */
export interface Worker {
  email: string;
  granted: readonly string[];
}

const workers = new WeakMap<Page, Worker>();
const seen = new WeakMap<TestInfo, Map<string, Worker>>();

/** Takes note of who works a page from now on. */
export function works(page: Page, test: TestInfo, worker: Worker): void {
  workers.set(page, worker);
  seen.set(test, (seen.get(test) ?? new Map()).set(worker.email, worker));
}

/** What a test's commands were so far. */
export function logOf(test: TestInfo): LogEntry[] {
  const known = logs.get(test) ?? [];
  logs.set(test, known);
  return known;
}

/** Runs a step and keeps what came of it, with the requests that the page made meanwhile. */
export async function logged<T>(
  page: Page,
  test: TestInfo,
  { command, how, targets = [], params = [] }: Pick<LogEntry, 'command' | 'how'> & Partial<Pick<LogEntry, 'targets' | 'params'>>,
  work: () => Promise<T>,
): Promise<T> {
  const requests: LogEntry['requests'] = [];
  const hear = (answer: Awaited<ReturnType<Page['waitForResponse']>>) => {
    const path = new URL(answer.url()).pathname;
    if (path.startsWith('/rpc/'))
      requests.push({ route: path.slice(5), status: answer.status(), requestId: answer.headers()['x-request-id'] ?? null });
  };
  const entry: LogEntry = { ...entryOf(page, { command, how }), targets, params, requests };
  logOf(test).push(entry);
  const began = performance.now();
  page.on('response', hear);
  try {
    return await work();
  } catch (error) {
    entry.outcome = (error as { code?: string }).code ?? 'ERROR';
    throw error;
  } finally {
    page.off('response', hear);
    entry.milliseconds = Math.round(performance.now() - began);
  }
}

const entryOf = (page: Page, { command, how }: Pick<LogEntry, 'command' | 'how'>): LogEntry => ({
  at: new Date().toISOString(),
  command,
  how,
  as: workers.get(page)?.email ?? '',
  targets: [],
  params: [],
  outcome: 'done',
  milliseconds: 0,
  requests: [],
});

/** A command as the page tells of it. */
interface Heard {
  id: string;
  source: LogEntry['how'];
  status: string;
}

/** Keeps what the test does to the page itself: by mouse, by its own keys. What the kit gives it has noted before. */
export async function listen(page: Page, test: TestInfo): Promise<void> {
  const given = new Set<LogEntry>();
  await page.exposeFunction('qaHear', ({ id, source, status }: Heard) => {
    if (source === 'script') return;
    const own = logOf(test).find((entry) => entry.command === id && entry.how === source && !given.has(entry));
    const entry = own ?? { ...entryOf(page, { command: id, how: source }), outcome: status };
    given.add(entry);
    if (!own) logOf(test).push(entry);
  });
  await page.addInitScript(() => {
    const { qaHear } = window as unknown as { qaHear?: (heard: unknown) => void };
    addEventListener('panel-command', (event) => qaHear?.((event as CustomEvent<unknown>).detail));
  });
}

/** Puts the log into the report and the trace. */
export async function attachLog(test: TestInfo): Promise<void> {
  const entries = logOf(test);
  if (entries.length > 0) await attach(test, 'commands.json', entries);
  const accounts = [...(seen.get(test)?.values() ?? [])];
  if (accounts.length > 0) await attach(test, 'accounts.json', accounts);
}

const attach = (test: TestInfo, name: string, content: unknown): Promise<void> =>
  test.attach(name, { body: JSON.stringify(content, null, 2), contentType: 'application/json' });
