import { api } from '../../lib/net/client.ts';
import { $authorization, $loginEmail, $viewAs } from '../../lib/session/session.ts';
import { mergeHistory, ownEntries, setOnHistoryChanged, type CommandHistoryEntry } from '../engine/dispatch/history.ts';
import type { HistoryRow } from '../../../api/macros/contract.ts';

const batchSize = 50;
const syncIntervalMs = 30_000;
/** As in api/macros/contract.ts, which would load the whole contract here. */
const retentionDays = 90;

let lastReadAt = 0;
let lastReadEmail = '';

/** Sends and reads the person's history, so that undo and repeat work on every device. */
export function syncHistory(): () => void {
  setOnHistoryChanged((entries) => void uploadEntries(entries.filter(({ by }) => by === $loginEmail.get())));
  const syncNow = () => void readHistory();
  const unsubscribe = $loginEmail.subscribe(syncNow);
  const onVisible = () => document.hidden || syncNow();
  document.addEventListener('visibilitychange', onVisible);
  return () => {
    unsubscribe();
    document.removeEventListener('visibilitychange', onVisible);
    setOnHistoryChanged(() => {});
  };
}

/** At most every 30 seconds, unless `isForced` now. Without a server the browser's own history remains. */
export async function readHistory(isForced = false): Promise<void> {
  const email = $loginEmail.get();
  if (email === '' || $authorization.get() === null || $viewAs.get()) return;
  if (!isForced && lastReadEmail === email && Date.now() - lastReadAt < syncIntervalMs) return;
  [lastReadEmail, lastReadAt] = [email, Date.now()];
  try {
    const rows = await api.history.own();
    if ($loginEmail.get() !== email) return;
    mergeHistory(email, rows as unknown as Omit<CommandHistoryEntry, 'by'>[]);
    const storedIds = new Set(rows.map(({ id }) => id));
    const oldestTime = Date.now() - retentionDays * 24 * 60 * 60_000;
    await uploadEntries(ownEntries().filter(({ id, at }) => !storedIds.has(id) && at > oldestTime));
  } catch {
    lastReadAt = 0; // an older server, or no connection: the next time may succeed
  }
}

/** What the server never got, because it was away, is sent with the next reading. */
async function uploadEntries(entries: readonly CommandHistoryEntry[]): Promise<void> {
  if (entries.length === 0 || $viewAs.get()) return;
  const rows = entries.slice(0, batchSize).map(toHistoryRow);
  await api.history.keep({ entries: rows }).catch(() => (lastReadAt = 0));
}

/** Without whose it is: the server knows. */
function toHistoryRow({ id, at, invocation, names, made, undo, instead, undone }: CommandHistoryEntry): HistoryRow {
  const row = { id, at, invocation, names, made, undo, instead, undone };
  return JSON.parse(JSON.stringify(row)) as HistoryRow; // without what is undefined
}
