import { listNames } from '../../../api/lists/names.ts';
import { maxMatching } from '../../../api/bulk.ts';
import { $batch, leftOf, putBatchAway, stopBatch } from '../../lib/batch.ts';
import { groupDigits } from '../../lib/format.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import type { ListControls } from '../../lib/scope.ts';
import { absent, defineCommand, no, none } from '../engine/define.ts';

addNames(listNames);

const passing = { permission: 'anyone', target: none, params: null, danger: 'none', passing: true } as const;

/** The server seals the set and checks its count. */
async function chooseAll({ matching, refresh }: ListControls): Promise<void> {
  const { question, count, matching: ask } = matching?.now ?? {};
  if (!matching || !count || !ask) return;
  const read = (seal: string | null) =>
    ask(count.value, seal).catch((error: unknown) => {
      refresh(); // shows the current rows beside the refusal
      throw error;
    });
  const { seal } = await read(null);
  if (matching.now.question === question) matching.take({ count: count.value, items: async () => (await read(seal)).items });
}

export const batch = [
  defineCommand({
    ...passing,
    id: 'list.selectMatching',
    icon: 'list-checks',
    place: 'list',
    keys: ['shift+x'],
    when: ({ frame }) => {
      const { count, matching } = frame?.controls?.matching?.now ?? {};
      if (!matching || !count) return no('batch.blocked.notHere');
      if (count.kind === 'estimate') return no('batch.blocked.unknown');
      return count.value <= maxMatching || no('batch.blocked.tooMany', { max: groupDigits(maxMatching) });
    },
    run: ({ ui }) => ui.list && chooseAll(ui.list),
  }),
  defineCommand({
    ...passing,
    id: 'batch.stop',
    icon: 'square-x',
    place: 'global',
    when: () => $batch.get()?.isRunning === true || absent('batch.blocked.none'),
    run: stopBatch,
  }),
  defineCommand({
    ...passing,
    id: 'batch.retry',
    icon: 'refresh-cw',
    place: 'global',
    when: () => {
      const batch = $batch.get();
      return (batch && !batch.isRunning && leftOf(batch).length > 0) || absent('batch.blocked.none');
    },
    run: ({ ui }) => ui.retry(),
  }),
  defineCommand({
    ...passing,
    id: 'batch.close',
    icon: 'eye-off',
    place: 'global',
    when: () => $batch.get()?.isRunning === false || absent('batch.blocked.none'),
    run: putBatchAway,
  }),
];
