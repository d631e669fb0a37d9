import { atom } from 'nanostores';
import type { CommandId } from '../../api/names.ts';
import { $loginEmail } from './session/session.ts';

/** How one record of a batch fares. `note`: the transaction's hash, or why it did not follow, in words. */
export interface BatchRow {
  id: string;
  name: string;
  state: 'waiting' | 'working' | 'done' | 'failed' | 'skipped';
  note: string | null;
  /** It is no more: nothing to try again. */
  gone?: true;
}

/** One command on many records, some at a time: how far it is, and the way out. It stays, as a report, until it is put away. */
export interface Batch {
  command: CommandId;
  /** What it was told, for those that are to be tried again. */
  params?: Readonly<Record<string, unknown>> | undefined;
  rows: readonly BatchRow[];
  isRunning: boolean;
  /** Nothing more is begun. */
  isStopping: boolean;
}

export const $batch = atom<Batch | null>(null);

// Whoever is at the page next sees nothing of it, and nothing more is begun.
let people = 0;
$loginEmail.listen(() => {
  people += 1;
  $batch.set(null);
});

/** What is under way goes to its end; nothing after it is begun. */
export function stopBatch(): void {
  const batch = $batch.get();
  if (batch?.isRunning) $batch.set({ ...batch, isStopping: true });
}

export const putBatchAway = (): void => void ($batch.get()?.isRunning === false && $batch.set(null));

/** Those that did not follow and may on another try. */
export const leftOf = ({ rows }: Batch): readonly BatchRow[] => rows.filter(({ state, gone }) => state !== 'done' && !gone);

/** Puts up how each record fared of a run that is over. Never over one under way. */
export function reportBatch(report: Pick<Batch, 'command' | 'params' | 'rows'>): void {
  if (!$batch.get()?.isRunning) $batch.set({ ...report, isRunning: false, isStopping: false });
}

/** What came of one record; `stop`: nothing after it is begun. */
export interface BatchStep {
  state: 'done' | 'failed' | 'skipped';
  note: string | null;
  stop?: boolean;
}

/** Takes the records one after another, until all are through or somebody stops it. Answers how each fared. */
export const runBatch = <T extends { id: string; name: string }>(
  command: CommandId,
  records: readonly T[],
  take: (record: T) => Promise<BatchStep>,
): Promise<readonly BatchRow[]> =>
  runGroups({ command, rows: records, size: 1 }, async ([record]) => {
    if (!record) return { steps: {} };
    const { stop = false, ...step } = await take(record);
    return { steps: { [record.id]: step }, stop };
  });

/** What came of a group: each record's by its id. */
export interface GroupSteps {
  steps: Readonly<Record<string, Pick<BatchRow, 'state' | 'note' | 'gone'> & { name?: string }>>;
  stop?: boolean;
}

/**
 * Takes the records `size` at a time, until all are through or somebody stops it. Answers how each fared; given up, as by hand
 * (AbortError), once who began it is no longer signed in.
 */
export async function runGroups<T extends { id: string; name?: string }>(
  { command, params, rows: records, size }: Pick<Batch, 'command' | 'params'> & { rows: readonly T[]; size: number },
  take: (group: readonly T[]) => Promise<GroupSteps>,
): Promise<readonly BatchRow[]> {
  const person = people;
  const put = (change: (batch: Batch) => Partial<Batch>): void => {
    const batch = $batch.get();
    if (batch && person === people) $batch.set({ ...batch, ...change(batch) });
  };
  const putRows = (change: (row: BatchRow) => Partial<BatchRow> | undefined): void =>
    put(({ rows }) => ({ rows: rows.map((row) => ({ ...row, ...change(row) })) }));
  $batch.set({
    command,
    params,
    rows: records.map(({ id, name = id }) => ({ id, name, state: 'waiting', note: null })),
    isRunning: true,
    isStopping: false,
  });
  try {
    for (let from = 0; from < records.length && person === people && !$batch.get()?.isStopping; from += size) {
      const group = records.slice(from, from + size);
      const ids = new Set(group.map(({ id }) => id));
      putRows(({ id }) => (ids.has(id) ? { state: 'working' } : undefined));
      const { steps, stop } = await take(group);
      putRows(({ id }) => steps[id]);
      if (stop) put(() => ({ isStopping: true }));
    }
  } catch (error) {
    if (person === people) throw error;
  } finally {
    putRows(({ state }) => (state === 'waiting' || state === 'working' ? { state: 'skipped' } : undefined));
    put(() => ({ isRunning: false }));
  }
  if (person !== people) throw new DOMException('the person who started the batch has signed out', 'AbortError');
  return $batch.get()?.rows ?? [];
}
