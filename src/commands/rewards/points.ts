import { rewardNames } from '../../../api/rewards/names.ts';
import type { Api } from '../../lib/net/client.ts';
import { shortenMiddle } from '../../lib/format.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { evmExplorerTarget } from '../../lib/explorer.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import { balanceShape, entryShape, pointsView } from './points-filters.ts';
import type { Target } from '../../lib/scope.ts';
import {
  invocation,
  defineCommand,
  manyTargets,
  blockedBecause,
  noTarget,
  oneTarget,
  type CommandResult,
  copyCommand,
  firstOf,
} from '../engine/define.ts';
import { paramSpec, signedNumberField, textField } from '../engine/fields.ts';
import { explorerCommands } from '../engine/explorer-commands.ts';
import { currentQueryOf, exportCommand, saveExport } from '../engine/export.ts';
import { groupBerries, signedBerries } from './berries.ts';
import { addressBeside, queryAt, targetOf } from '../engine/resource.ts';

addNames(rewardNames);

export const balanceTarget = targetOf('balances', ({ address }) => address);
export const pointsTarget = targetOf('points', ({ address, berries }) => `${address} ${signedBerries(berries)}`);

const place = '/points';
const schemas = () => import('../../../api/rewards/points.ts');
const stale = ['points', 'balances'];

const addressOpen = (address: string): string => addressBeside(place, 'open', address);

/** One line each: "0xabc… 1,200 → 1,000". */
async function balancesAfter(api: Api, changes: readonly { address: string; berries: string }[]): Promise<string[]> {
  const sums = new Map<string, bigint>();
  for (const { address, berries } of changes) sums.set(address, (sums.get(address) ?? 0n) + BigInt(berries));
  const known = await api.points.balancesOf({ addresses: [...sums.keys()] });
  const balances = new Map(known.map(({ address, berries }) => [address, BigInt(berries)]));
  return [...sums].map(([address, sum]) => {
    const before = balances.get(address) ?? 0n;
    const values = {
      address: shortenMiddle(address),
      before: groupBerries(String(before)),
      after: groupBerries(String(before + sum)),
    };
    return t(before + sum < 0n ? 'points.balanceTooLow' : 'points.balanceAfter', values);
  });
}

const negated = ({ row: { address, berries } }: Target<'points'>) => ({ address, berries: String(-BigInt(berries)) });

export const points = [
  defineCommand({
    id: 'points.adjust',
    permission: 'points.adjust',
    icon: 'plus',
    place,
    target: noTarget,
    params: paramSpec(() => schemas().then(({ pointsFields }) => pointsFields), {
      address: textField('points.field.address'),
      berries: signedNumberField('points.field.berries', 'points.hint.berries'),
      reason: textField('points.field.reason'),
    }),
    danger: 'money',
    keys: ['c'],
    consequences: ({ api, params: { address, berries } }) => balancesAfter(api, [{ address, berries }]),
    run: ({ api, params: fields }) => api.points.adjust(fields),
    done: ({ entry, balance }): CommandResult => ({
      stale,
      instead: invocation('points.reverse', { targets: [entry.id] }),
      toast: { key: 'points.adjusted', values: { balance: groupBerries(balance.berries) } },
    }),
  }),
  defineCommand({
    id: 'points.reverse',
    permission: 'points.reverse',
    icon: 'undo-2',
    place,
    target: manyTargets('points', { max: 200 }),
    params: paramSpec(() => schemas().then(({ reversalFields }) => reversalFields), { reason: textField('points.field.reason') }),
    when: ({ targets }) =>
      targets.some(({ row }) => row.source === 'reversal')
        ? blockedBecause('points.blocked.reversal')
        : targets.every(({ row }) => row.reversedBy === null) || blockedBecause('points.blocked.reversed'),
    danger: 'money',
    keys: ['shift+r'],
    consequences: ({ api, targets }) => balancesAfter(api, targets.map(negated)),
    run: ({ api, targets, params: { reason } }) => api.points.reverse({ ids: targets.map(({ id }) => id), reason }),
    done: ({ entries }): CommandResult => ({ stale, toast: { key: 'points.reversed', values: { count: entries.length } } }),
  }),
  defineCommand({
    ...exportCommand,
    id: 'points.export',
    permission: 'points.export',
    place,
    run: ({ api, params }) =>
      saveExport(() =>
        pointsView(String(queryAt(place))) === 'balances'
          ? api.points.exportBalances({ ...currentQueryOf(place, balanceShape), ...params })
          : api.points.export({ ...currentQueryOf(place, entryShape), ...params }),
      ),
  }),
  defineCommand({
    id: 'points.open',
    permission: place,
    icon: 'book-open',
    place,
    target: oneTarget('points'),
    params: null,
    danger: 'none',
    excludeFromHistory: true,
    run: ({ ui, targets: [target] }) => {
      if (target) ui.navigate(addressOpen(target.row.address));
    },
  }),
  defineCommand({
    ...copyCommand,
    id: 'points.copyAddress',
    permission: place,
    place,
    target: oneTarget('points'),
    keys: [],
    run: ({ ui, targets }) => ui.copy(firstOf(targets).row.address),
  }),
  { ...explorerCommands('points.explore', 'points', place, ({ row }) => evmExplorerTarget.address(row.address)), keys: [] },
  defineCommand({
    id: 'points.view',
    permission: place,
    icon: 'layers',
    place,
    target: noTarget,
    params: null,
    danger: 'none',
    excludeFromHistory: true,
    keys: ['b'],
    run: ({ ui }) => {
      const query = queryAt(place);
      const address = query.get('address');
      const next = new URLSearchParams({
        ...(pointsView(String(query)) === 'entries' ? { view: 'balances' } : {}),
        ...(address ? { address } : {}),
      });
      ui.navigate(next.size > 0 ? `${place}?${next}` : place);
    },
  }),
  defineCommand({
    id: 'balances.open',
    permission: place,
    icon: 'book-open',
    place,
    target: oneTarget('balances'),
    params: null,
    danger: 'none',
    excludeFromHistory: true,
    run: ({ ui, targets: [target] }) => {
      if (target) ui.navigate(addressOpen(target.id));
    },
  }),
  defineCommand({
    ...copyCommand,
    id: 'balances.copyAddress',
    permission: place,
    place,
    target: oneTarget('balances'),
    run: ({ ui, targets }) => ui.copy(firstOf(targets).id),
  }),
  explorerCommands('balances.explore', 'balances', place, ({ row }) => evmExplorerTarget.address(row.address)),
];
