import { macroNames } from '../../../api/macros/names.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import { freezeTargets } from '../../lib/scope.ts';
import { absent, defineCommand, no, none } from '../engine/define.ts';
import { params, pick } from '../engine/fields.ts';
import { mine } from '../engine/dispatch/history.ts';
import { $macros } from './store.ts';
import { $historyPage, type HistoryPage } from './history-page.ts';

addNames(macroNames);

const everybody = { permission: 'anyone', place: 'global', target: none, params: null, danger: 'none', passing: true } as const;

const open = (page: HistoryPage): void => $historyPage.set({ ...page, targets: freezeTargets() });

export const history = [
  defineCommand({
    ...everybody,
    id: 'history.open',
    icon: 'history',
    keys: ['g z'],
    run: () => open({ page: 'history', picking: false }),
  }),
  defineCommand({
    ...everybody,
    id: 'macros.add',
    icon: 'list-checks',
    when: () => mine().length > 0 || no('history.empty'),
    run: () => open({ page: 'history', picking: true }),
  }),
  defineCommand({
    ...everybody,
    id: 'macros.run',
    icon: 'repeat',
    params: params(() => import('./schemas.ts').then(({ macroSchema }) => macroSchema), {
      macro: pick('history.macro.field', async () => $macros.get().map(({ id, name }) => ({ value: id, label: name }))),
    }),
    when: () => $macros.get().length > 0 || absent('history.macro.none'),
    run: ({ params: { macro: asked } }) => {
      const macro = $macros.get().find(({ id }) => id === asked);
      if (macro) open({ page: 'run', macro });
    },
  }),
  defineCommand({ ...everybody, id: 'macros.open', icon: 'list', run: () => open({ page: 'macros' }) }),
];
