import type { Page, TestInfo } from '@playwright/test';

/** One command that a test gave, as it stands in the report. No parameters: some are secret. */
export interface LogEntry {
  at: string;
  command: string;
  how: 'script' | 'palette' | 'key' | 'read';
  targets: readonly string[];
  /** The names of what it was told. */
  params: readonly string[];
  outcome: string;
  milliseconds: number;
  requests: { route: string; status: number; requestId: string | null }[];
}

const logs = new WeakMap<TestInfo, LogEntry[]>();

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
  const entry: LogEntry = {
    at: new Date().toISOString(),
    command,
    how,
    targets,
    params,
    outcome: 'done',
    milliseconds: 0,
    requests,
  };
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

/** Puts the log into the report and the trace. */
export async function attachLog(test: TestInfo): Promise<void> {
  const entries = logOf(test);
  if (entries.length > 0)
    await test.attach('commands.json', { body: JSON.stringify(entries, null, 2), contentType: 'application/json' });
}
