import { macroNames } from '../../../api/macros/names.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import { snapshotTargets } from '../../lib/scope.ts';
import { notApplicable, defineCommand, blockedBecause, noTarget } from '../engine/define.ts';
import { paramSpec, pickField } from '../engine/fields.ts';
import { ownEntries } from '../engine/dispatch/history.ts';
import { $macros } from './store.ts';
import { $historyPage, type HistoryPage } from './history-page.ts';

addNames(macroNames);

const historyCommand = {
  permission: 'anyone',
  place: 'global',
  target: noTarget,
  params: null,
  danger: 'none',
  excludeFromHistory: true,
} as const;

const open = (page: HistoryPage): void => $historyPage.set({ ...page, targets: snapshotTargets() });

export const history = [
  defineCommand({
    ...historyCommand,
    id: 'history.open',
    icon: 'history',
    keys: ['g z'],
    run: () => open({ page: 'history', picking: false }),
  }),
  defineCommand({
    ...historyCommand,
    id: 'macros.add',
    icon: 'list-checks',
    when: () => ownEntries().length > 0 || blockedBecause('history.empty'),
    run: () => open({ page: 'history', picking: true }),
  }),
  defineCommand({
    ...historyCommand,
    id: 'macros.run',
    icon: 'repeat',
    params: paramSpec(() => import('./schemas.ts').then(({ macroSchema }) => macroSchema), {
      macro: pickField('history.macro.field', async () => $macros.get().map(({ id, name }) => ({ value: id, label: name }))),
    }),
    when: () => $macros.get().length > 0 || notApplicable('history.macro.none'),
    run: ({ params: { macro: macroName } }) => {
      const macro = $macros.get().find(({ id }) => id === macroName);
      if (macro) open({ page: 'run', macro });
    },
  }),
  defineCommand({ ...historyCommand, id: 'macros.open', icon: 'list', run: () => open({ page: 'macros' }) }),
];
