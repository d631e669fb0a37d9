import { atom } from 'nanostores';
import type { CommandId } from '../../api/names.ts';
import { $loginEmail } from './session/session.ts';

/** `note`: the transaction's hash, or the translated reason of a failure. */
export interface BatchRow {
  id: string;
  name: string;
  state: 'waiting' | 'working' | 'done' | 'failed' | 'skipped';
  note: string | null;
  /** The record was deleted, so it cannot be retried. */
  missing?: true;
}

/** Stays on screen as a report until dismissed. */
export interface Batch {
  command: CommandId;
  /** For retries. */
  params?: Readonly<Record<string, unknown>> | undefined;
  rows: readonly BatchRow[];
  isRunning: boolean;
  isStopping: boolean;
}

export const $batch = atom<Batch | null>(null);

// Stops the previous person's batch after a new sign-in.
let sessionCount = 0;
$loginEmail.listen(() => {
  sessionCount += 1;
  $batch.set(null);
});

/** The current step finishes. */
export function stopBatch(): void {
  const batch = $batch.get();
  if (batch?.isRunning) $batch.set({ ...batch, isStopping: true });
}

export const dismissBatch = (): void => void ($batch.get()?.isRunning === false && $batch.set(null));

export const remainingRows = ({ rows }: Batch): readonly BatchRow[] =>
  rows.filter(({ state, missing }) => state !== 'done' && !missing);

/** Ignored while a batch is running. */
export function reportBatch(report: Pick<Batch, 'command' | 'params' | 'rows'>): void {
  if (!$batch.get()?.isRunning) $batch.set({ ...report, isRunning: false, isStopping: false });
}

/** `stop`: skip the remaining records. */
export interface BatchStep {
  state: 'done' | 'failed' | 'skipped';
  note: string | null;
  stop?: boolean;
}

export const runBatch = <T extends { id: string; name: string }>(
  command: CommandId,
  records: readonly T[],
  runStep: (record: T) => Promise<BatchStep>,
): Promise<readonly BatchRow[]> =>
  runGroups({ command, rows: records, size: 1 }, async ([record]) => {
    if (!record) return { steps: {} };
    const { stop = false, ...step } = await runStep(record);
    return { steps: { [record.id]: step }, stop };
  });

export interface GroupSteps {
  steps: Readonly<Record<string, Pick<BatchRow, 'state' | 'note' | 'missing'> & { name?: string }>>;
  stop?: boolean;
}

/** Runs `size` records at a time. Throws AbortError after the person signs out. */
export async function runGroups<T extends { id: string; name?: string }>(
  { command, params, rows: records, size }: Pick<Batch, 'command' | 'params'> & { rows: readonly T[]; size: number },
  runGroup: (group: readonly T[]) => Promise<GroupSteps>,
): Promise<readonly BatchRow[]> {
  const sessionNumber = sessionCount;
  const updateBatch = (changeBatch: (batch: Batch) => Partial<Batch>): void => {
    const batch = $batch.get();
    if (batch && sessionNumber === sessionCount) $batch.set({ ...batch, ...changeBatch(batch) });
  };
  const updateRows = (changeRow: (row: BatchRow) => Partial<BatchRow> | undefined): void =>
    updateBatch(({ rows }) => ({ rows: rows.map((row) => ({ ...row, ...changeRow(row) })) }));
  $batch.set({
    command,
    params,
    rows: records.map(({ id, name = id }) => ({ id, name, state: 'waiting', note: null })),
    isRunning: true,
    isStopping: false,
  });
  try {
    for (let from = 0; from < records.length && sessionNumber === sessionCount && !$batch.get()?.isStopping; from += size) {
      const group = records.slice(from, from + size);
      const ids = new Set(group.map(({ id }) => id));
      updateRows(({ id }) => (ids.has(id) ? { state: 'working' } : undefined));
      const { steps, stop } = await runGroup(group);
      updateRows(({ id }) => steps[id]);
      if (stop) updateBatch(() => ({ isStopping: true }));
    }
  } catch (error) {
    if (sessionNumber === sessionCount) throw error;
  } finally {
    updateRows(({ state }) => (state === 'waiting' || state === 'working' ? { state: 'skipped' } : undefined));
    updateBatch(() => ({ isRunning: false }));
  }
  if (sessionNumber !== sessionCount) throw new DOMException('the person who started the batch has signed out', 'AbortError');
  return $batch.get()?.rows ?? [];
}
