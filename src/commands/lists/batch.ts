import { listNames } from '../../../api/lists/names.ts';
import { maxMatching } from '../../../api/bulk.ts';
import { $batch, remainingRows, dismissBatch, stopBatch } from '../../lib/batch.ts';
import { groupDigits } from '../../lib/format.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import type { ListControls } from '../../lib/scope.ts';
import { notApplicable, defineCommand, blockedBecause, noTarget } from '../engine/define.ts';

addNames(listNames);

const batchCommand = { permission: 'anyone', target: noTarget, params: null, danger: 'none', excludeFromHistory: true } as const;

/** The server seals the set and checks its count. */
async function chooseAll({ matching, refresh }: ListControls): Promise<void> {
  const { question, count, matching: query } = matching?.now ?? {};
  if (!matching || !count || !query) return;
  const loadPage = (seal: string | null) =>
    query(count.value, seal).catch((error: unknown) => {
      refresh(); // shows the current rows beside the refusal
      throw error;
    });
  const { seal } = await loadPage(null);
  if (matching.now.question === question) matching.take({ count: count.value, items: async () => (await loadPage(seal)).items });
}

export const batch = [
  defineCommand({
    ...batchCommand,
    id: 'list.selectMatching',
    icon: 'list-checks',
    place: 'list',
    keys: ['shift+x'],
    when: ({ viewContext }) => {
      const { count, matching } = viewContext?.controls?.matching?.now ?? {};
      if (!matching || !count) return blockedBecause('batch.blocked.notHere');
      if (count.kind === 'estimate') return blockedBecause('batch.blocked.unknown');
      return count.value <= maxMatching || blockedBecause('batch.blocked.tooMany', { max: groupDigits(maxMatching) });
    },
    run: ({ ui }) => ui.list && chooseAll(ui.list),
  }),
  defineCommand({
    ...batchCommand,
    id: 'batch.stop',
    icon: 'square-x',
    place: 'global',
    when: () => $batch.get()?.isRunning === true || notApplicable('batch.blocked.none'),
    run: stopBatch,
  }),
  defineCommand({
    ...batchCommand,
    id: 'batch.retry',
    icon: 'refresh-cw',
    place: 'global',
    when: () => {
      const batch = $batch.get();
      return (batch && !batch.isRunning && remainingRows(batch).length > 0) || notApplicable('batch.blocked.none');
    },
    run: ({ ui }) => ui.retry(),
  }),
  defineCommand({
    ...batchCommand,
    id: 'batch.close',
    icon: 'eye-off',
    place: 'global',
    when: () => $batch.get()?.isRunning === false || notApplicable('batch.blocked.none'),
    run: dismissBatch,
  }),
];
