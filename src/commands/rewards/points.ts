import { rewardNames } from '../../../api/rewards/names.ts';
import type { Api } from '../../lib/net/client.ts';
import { shortenMiddle } from '../../lib/format.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { evmExplorerTarget } from '../../lib/explorer.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import { balanceShape, entryShape, pointsView } from './points-filters.ts';
import type { Target } from '../../lib/scope.ts';
import type { Review } from '../engine/review.ts';
import {
  invocation,
  defineCommand,
  manyTargets,
  blockedBecause,
  noTarget,
  oneTarget,
  type CommandResult,
  type Consequences,
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

const screenPath = '/points';
const loadSchemas = () => import('../../../api/rewards/points.ts');
const staleQueries = ['points', 'balances'];

const addressPath = (address: string): string => addressBeside(screenPath, 'open', address);

/** One line each: "0xabc… 1,200 → 1,000". No balance may fall below 0. */
async function previewBalances(api: Api, changes: readonly { address: string; berries: string }[]): Promise<Consequences> {
  const totals = new Map<string, bigint>();
  for (const { address, berries } of changes) totals.set(address, (totals.get(address) ?? 0n) + BigInt(berries));
  const currentBalances = await api.points.balancesOf({ addresses: [...totals.keys()] });
  const balances = new Map(currentBalances.map(({ address, berries }) => [address, BigInt(berries)]));
  const lines: string[] = [];
  let blocked: string | undefined;
  for (const [address, total] of totals) {
    const previousBalance = balances.get(address) ?? 0n;
    const values = {
      address: shortenMiddle(address),
      before: groupBerries(String(previousBalance)),
      after: groupBerries(String(previousBalance + total)),
    };
    if (previousBalance + total < 0n) blocked ??= t('points.balanceTooLow', values);
    else lines.push(t('points.balanceAfter', values));
  }
  return { lines, ...(blocked !== undefined && { blocked }) };
}

async function reviewAdjustment(
  api: Api,
  { address, berries, reason }: { address: string; berries: string; reason: string },
): Promise<Consequences> {
  const [current] = await api.points.balancesOf({ addresses: [address] });
  const [change, before] = [BigInt(berries), BigInt(current?.berries ?? 0)];
  const isAdded = change > 0n;
  const texts = { before: groupBerries(String(before)), after: groupBerries(String(before + change)) };
  const review: Review = {
    what: t(isAdded ? 'points.review.add' : 'points.review.deduct', {
      berries: groupBerries(String(isAdded ? change : -change)),
    }),
    parties: [{ as: isAdded ? 'to' : 'from', at: evmExplorerTarget.address(address) }],
    facts: [{ label: t('points.field.reason'), text: reason }],
    changes: [{ key: 'balance', label: t('points.field.balance'), ...texts }],
    undo: t('points.review.undo'),
  };
  const blocked = t('points.balanceTooLow', { address: shortenMiddle(address), ...texts });
  return { lines: [], reviews: [review], ...(before + change < 0n && { blocked }) };
}

const negateEntry = ({ row: { address, berries } }: Target<'points'>) => ({ address, berries: String(-BigInt(berries)) });

export const points = [
  defineCommand({
    id: 'points.adjust',
    permission: 'points.adjust',
    icon: 'plus',
    place: screenPath,
    target: noTarget,
    params: paramSpec(() => loadSchemas().then(({ pointsFields }) => pointsFields), {
      address: textField('points.field.address'),
      berries: signedNumberField('points.field.berries', 'points.hint.berries'),
      reason: textField('points.field.reason'),
    }),
    danger: 'money',
    oneStep: 'form',
    keys: ['c'],
    reviewNamesParams: true,
    consequences: ({ api, params }) => reviewAdjustment(api, params),
    run: ({ api, params: fields }) => api.points.adjust(fields),
    done: ({ entry, balance }): CommandResult => ({
      stale: staleQueries,
      instead: invocation('points.reverse', { targets: [entry.id] }),
      toast: { key: 'points.adjusted', values: { balance: groupBerries(balance.berries) } },
    }),
  }),
  defineCommand({
    id: 'points.reverse',
    permission: 'points.reverse',
    icon: 'undo-2',
    place: screenPath,
    target: manyTargets('points', { max: 200 }),
    params: paramSpec(() => loadSchemas().then(({ reversalFields }) => reversalFields), {
      reason: textField('points.field.reason'),
    }),
    when: ({ targets }) =>
      targets.some(({ row }) => row.source === 'reversal')
        ? blockedBecause('points.blocked.reversal')
        : targets.every(({ row }) => row.reversedBy === null) || blockedBecause('points.blocked.reversed'),
    danger: 'money',
    oneStep: 'form',
    keys: ['shift+r'],
    consequences: ({ api, targets }) => previewBalances(api, targets.map(negateEntry)),
    run: ({ api, targets, params: { reason } }) => api.points.reverse({ ids: targets.map(({ id }) => id), reason }),
    done: ({ entries }): CommandResult => ({
      stale: staleQueries,
      toast: { key: 'points.reversed', values: { count: entries.length } },
    }),
  }),
  defineCommand({
    ...exportCommand,
    id: 'points.export',
    permission: 'points.export',
    place: screenPath,
    run: ({ api, params }) =>
      saveExport(() =>
        pointsView(String(queryAt(screenPath))) === 'balances'
          ? api.points.exportBalances({ ...currentQueryOf(screenPath, balanceShape), ...params })
          : api.points.export({ ...currentQueryOf(screenPath, entryShape), ...params }),
      ),
  }),
  defineCommand({
    id: 'points.open',
    permission: screenPath,
    icon: 'book-open',
    place: screenPath,
    target: oneTarget('points'),
    params: null,
    danger: 'none',
    excludeFromHistory: true,
    run: ({ ui, targets: [target] }) => {
      if (target) ui.navigate(addressPath(target.row.address));
    },
  }),
  defineCommand({
    ...copyCommand,
    id: 'points.copyAddress',
    permission: screenPath,
    place: screenPath,
    target: oneTarget('points'),
    keys: [],
    run: ({ ui, targets }) => ui.copy(firstOf(targets).row.address),
  }),
  { ...explorerCommands('points.explore', 'points', screenPath, ({ row }) => evmExplorerTarget.address(row.address)), keys: [] },
  defineCommand({
    id: 'points.view',
    permission: screenPath,
    icon: 'layers',
    place: screenPath,
    target: noTarget,
    params: null,
    danger: 'none',
    excludeFromHistory: true,
    keys: ['b'],
    run: ({ ui }) => {
      const query = queryAt(screenPath);
      const address = query.get('address');
      const nextQuery = new URLSearchParams({
        ...(pointsView(String(query)) === 'entries' ? { view: 'balances' } : {}),
        ...(address ? { address } : {}),
      });
      ui.navigate(nextQuery.size > 0 ? `${screenPath}?${nextQuery}` : screenPath);
    },
  }),
  defineCommand({
    id: 'balances.open',
    permission: screenPath,
    icon: 'book-open',
    place: screenPath,
    target: oneTarget('balances'),
    params: null,
    danger: 'none',
    excludeFromHistory: true,
    run: ({ ui, targets: [target] }) => {
      if (target) ui.navigate(addressPath(target.id));
    },
  }),
  defineCommand({
    ...copyCommand,
    id: 'balances.copyAddress',
    permission: screenPath,
    place: screenPath,
    target: oneTarget('balances'),
    run: ({ ui, targets }) => ui.copy(firstOf(targets).id),
  }),
  explorerCommands('balances.explore', 'balances', screenPath, ({ row }) => evmExplorerTarget.address(row.address)),
];
