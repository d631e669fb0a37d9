import { expect, test } from 'vitest';
import { $batch, stopBatch } from '../../../lib/batch.ts';
import { ApiError } from '../../../lib/net/client.ts';
import { selectAllMatching, type Target } from '../../../lib/scope.ts';
import { news } from '../../news/commands.ts';
import { isBatch, runBatchCommand } from './batches.ts';
import type { AnyCommand, CommandResult } from '../define.ts';

const deleteCommand: AnyCommand | undefined = news.find(({ id }) => id === 'news.delete');
if (!deleteCommand) throw new Error('there is no news.delete');
const command: AnyCommand = deleteCommand;
const target = (n: number, version = 1) => ({ entity: 'news', id: `n${n}`, version, name: `News ${n}`, row: {} }) as Target;

/** 450 rows match and 50 are loaded. */
function runBatch(
  run: (targets: readonly Target[]) => Promise<CommandResult>,
  currentTarget: (n: number) => Target | null = target,
) {
  const targets = Array.from({ length: 50 }, (_, n) => target(n));
  selectAllMatching(targets, {
    count: 450,
    items: async () => Array.from({ length: 450 }, (_, n) => ({ id: `n${n}`, version: 1 })),
  });
  expect(isBatch(command, targets)).toBe(true);
  const load = async (ids: readonly string[]) => ids.flatMap((id) => currentTarget(Number(id.slice(1))) ?? []);
  return runBatchCommand({ command, targets, params: undefined, load, assess: () => ({ state: 'ok' }), run });
}

test('a row runs at its selected version, and changed, missing or refused rows are listed while the rest continues', async () => {
  const sentGroups: Target[][] = [];
  const { rows } = await runBatch(
    async (targets) => {
      sentGroups.push([...targets]);
      return { failed: targets.filter(({ id }) => id === 'n7').map(({ id }) => ({ id, code: 'CONFLICT' })) };
    },
    (n) => (n === 300 ? null : target(n, 5)),
  );
  expect(sentGroups.map(({ length }) => length)).toEqual([200, 199, 50]);
  expect(sentGroups.flat().every(({ version }) => version === 1)).toBe(true);
  const failedRows = rows.filter(({ state }) => state !== 'done');
  expect(failedRows.map(({ id, state, missing }) => [id, state, missing])).toEqual([
    ['n7', 'failed', undefined],
    ['n300', 'failed', true],
  ]);
});

test('a group in which every row failed lists each reason, and the next group runs', async () => {
  let runCount = 0;
  const { rows } = await runBatch(
    async () => {
      if (++runCount === 1) throw new ApiError('CONFLICT');
      return {};
    },
    (n) => (n === 1 ? null : target(n, n === 0 ? 1 : 2)),
  );
  expect(runCount).toBe(3);
  expect(rows.filter(({ state }) => state === 'failed')).toHaveLength(200);
  expect(rows[1]).toMatchObject({ state: 'failed', missing: true });
});

test('stopping a batch by hand or error leaves the rest undone', async () => {
  const rejectedResult = await runBatch(async () => {
    throw new ApiError('OFFLINE');
  });
  const statesOf = (rows: readonly { state: string }[]) => new Set(rows.map(({ state }) => state));
  expect(statesOf(rejectedResult.rows.slice(0, 200))).toEqual(new Set(['failed']));
  expect(statesOf(rejectedResult.rows.slice(200))).toEqual(new Set(['skipped']));
  const reportedResult = await runBatch(async () => {
    stopBatch();
    return {};
  });
  expect(statesOf(reportedResult.rows.slice(0, 200))).toEqual(new Set(['done']));
  expect(statesOf(reportedResult.rows.slice(200))).toEqual(new Set(['skipped']));
  expect($batch.get()?.isRunning).toBe(false);
});

test('the undos of all groups are merged with each row’s earlier values', async () => {
  const { done } = await runBatch(async (targets) => ({
    undo: {
      id: 'airdrops.setLevel',
      targets: targets.map(({ id }) => ({ id, version: 2 })),
      params: { nftLevel: 1, each: Object.fromEntries(targets.map(({ id }, n) => [id, n])) },
    },
  }));
  expect(done.undo?.targets).toHaveLength(450);
  expect(done.undo?.params?.['nftLevel']).toBe(1);
  expect(Object.keys(done.undo?.params?.['each'] ?? {})).toHaveLength(450);
});
