import { api } from '../../lib/net/client.ts';
import { $authorization, $loginEmail, $viewAs } from '../../lib/session/session.ts';
import { mergeHistory, ownEntries, setOnHistoryChanged, type CommandHistoryEntry } from '../engine/dispatch/history.ts';
import type { HistoryRow } from '../../../api/macros/contract.ts';

const batchSize = 50;
const syncIntervalMs = 30_000;
/** As in api/macros/contract.ts, which would load the whole contract here. */
const keptDays = 90;

let lastReadAt = 0;
let lastReadEmail = '';

/** Sends and reads the person's history, so that undo and repeat work on every device. */
export function syncHistory(): () => void {
  setOnHistoryChanged((entries) => void send(entries.filter(({ by }) => by === $loginEmail.get())));
  const read = () => void readHistory();
  const stop = $loginEmail.subscribe(read);
  const onVisible = () => document.hidden || read();
  document.addEventListener('visibilitychange', onVisible);
  return () => {
    stop();
    document.removeEventListener('visibilitychange', onVisible);
    setOnHistoryChanged(() => {});
  };
}

/** At most every 30 seconds, unless `isNeeded` now. Without a server the browser's own history remains. */
export async function readHistory(isNeeded = false): Promise<void> {
  const person = $loginEmail.get();
  if (person === '' || $authorization.get() === null || $viewAs.get()) return;
  if (!isNeeded && lastReadEmail === person && Date.now() - lastReadAt < syncIntervalMs) return;
  [lastReadEmail, lastReadAt] = [person, Date.now()];
  try {
    const rows = await api.history.own();
    if ($loginEmail.get() !== person) return;
    mergeHistory(person, rows as unknown as Omit<CommandHistoryEntry, 'by'>[]);
    const there = new Set(rows.map(({ id }) => id));
    const oldest = Date.now() - keptDays * 24 * 60 * 60_000;
    await send(ownEntries().filter(({ id, at }) => !there.has(id) && at > oldest));
  } catch {
    lastReadAt = 0; // an older server, or no connection: the next time may succeed
  }
}

/** What the server never got, because it was away, is sent with the next reading. */
async function send(entries: readonly CommandHistoryEntry[]): Promise<void> {
  if (entries.length === 0 || $viewAs.get()) return;
  const rows = entries.slice(0, batchSize).map(rowOf);
  await api.history.keep({ entries: rows }).catch(() => (lastReadAt = 0));
}

/** Without whose it is: the server knows. */
function rowOf({ id, at, invocation, names, made, undo, instead, undone }: CommandHistoryEntry): HistoryRow {
  const row = { id, at, invocation, names, made, undo, instead, undone };
  return JSON.parse(JSON.stringify(row)) as HistoryRow; // without what is undefined
}
