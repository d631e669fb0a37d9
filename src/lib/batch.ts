import { atom } from 'nanostores';
import type { CommandId } from '../../api/names.ts';

/** How one record of a batch fares. `note`: the transaction's hash, or why it did not follow, in words. */
export interface BatchRow {
  id: string;
  name: string;
  state: 'waiting' | 'working' | 'done' | 'failed' | 'skipped';
  note: string | null;
}

/** One command on many records, one after another: how far it is, and the way out. It stays, as a report, until it is put away. */
export interface Batch {
  command: CommandId;
  rows: readonly BatchRow[];
  isRunning: boolean;
  /** Nothing more is begun. */
  isStopping: boolean;
}

export const $batch = atom<Batch | null>(null);

/** What is under way goes to its end; nothing after it is begun. */
export function stopBatch(): void {
  const batch = $batch.get();
  if (batch?.isRunning) $batch.set({ ...batch, isStopping: true });
}

export const putBatchAway = (): void => void ($batch.get()?.isRunning === false && $batch.set(null));

/** What came of one record; `stop`: nothing after it is begun. */
export interface BatchStep {
  state: 'done' | 'failed' | 'skipped';
  note: string | null;
  stop?: boolean;
}

/** Takes the records one after another, until all are through or somebody stops it. Answers how each fared. */
export async function runBatch<T extends { id: string; name: string }>(
  command: CommandId,
  records: readonly T[],
  take: (record: T) => Promise<BatchStep>,
): Promise<readonly BatchRow[]> {
  const put = (change: (batch: Batch) => Partial<Batch>): void => {
    const batch = $batch.get();
    if (batch) $batch.set({ ...batch, ...change(batch) });
  };
  const putRow = (id: string, change: Partial<BatchRow>): void =>
    put(({ rows }) => ({ rows: rows.map((row) => (row.id === id ? { ...row, ...change } : row)) }));
  $batch.set({
    command,
    rows: records.map(({ id, name }) => ({ id, name, state: 'waiting', note: null })),
    isRunning: true,
    isStopping: false,
  });
  try {
    for (const record of records) {
      if ($batch.get()?.isStopping) break;
      putRow(record.id, { state: 'working' });
      const { state, note, stop } = await take(record);
      putRow(record.id, { state, note });
      if (stop) stopBatch();
    }
  } finally {
    put(({ rows }) => ({
      isRunning: false,
      rows: rows.map((row) => (row.state === 'waiting' || row.state === 'working' ? { ...row, state: 'skipped' } : row)),
    }));
  }
  return $batch.get()?.rows ?? [];
}
