import { rewardNames } from '../../../api/rewards/names.ts';
import type { Api } from '../../lib/net/client.ts';
import { shortenMiddle } from '../../lib/format.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { onEvm } from '../../lib/explorer.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import { balanceShape, entryShape, viewOf } from './points-filters.ts';
import type { Target } from '../../lib/scope.ts';
import { call, defineCommand, many, no, none, one, type Done, copies, only } from '../engine/define.ts';
import { params, signedNumber, text } from '../engine/fields.ts';
import { exploring } from '../engine/exploring.ts';
import { askedAt, saveExport } from '../engine/export.ts';
import { grouped, signed } from './berries.ts';
import { addressBeside, queryAt, targetOf } from '../engine/resource.ts';

addNames(rewardNames);

export const balanceTarget = targetOf('balances', ({ address }) => address);
export const pointsTarget = targetOf('points', ({ address, berries }) => `${address} ${signed(berries)}`);

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
    const values = { address: shortenMiddle(address), before: grouped(String(before)), after: grouped(String(before + sum)) };
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
    target: none,
    params: params(() => schemas().then(({ pointsFields }) => pointsFields), {
      address: text('points.field.address'),
      berries: signedNumber('points.field.berries', 'points.hint.berries'),
      reason: text('points.field.reason'),
    }),
    danger: 'money',
    keys: ['c'],
    consequences: ({ api, params: { address, berries } }) => balancesAfter(api, [{ address, berries }]),
    run: ({ api, params: fields }) => api.points.adjust(fields),
    done: ({ entry, balance }): Done => ({
      stale,
      instead: call('points.reverse', { targets: [entry.id] }),
      toast: { key: 'points.adjusted', values: { balance: grouped(balance.berries) } },
    }),
  }),
  defineCommand({
    id: 'points.reverse',
    permission: 'points.reverse',
    icon: 'undo-2',
    place,
    target: many('points', { max: 200 }),
    params: params(() => schemas().then(({ reversalFields }) => reversalFields), { reason: text('points.field.reason') }),
    when: ({ targets }) =>
      targets.some(({ row }) => row.source === 'reversal')
        ? no('points.blocked.reversal')
        : targets.every(({ row }) => row.reversedBy === null) || no('points.blocked.reversed'),
    danger: 'money',
    keys: ['shift+r'],
    consequences: ({ api, targets }) => balancesAfter(api, targets.map(negated)),
    run: ({ api, targets, params: { reason } }) => api.points.reverse({ ids: targets.map(({ id }) => id), reason }),
    done: ({ entries }): Done => ({ stale, toast: { key: 'points.reversed', values: { count: entries.length } } }),
  }),
  defineCommand({
    id: 'points.export',
    permission: 'points.export',
    icon: 'download',
    place,
    target: none,
    params: null,
    danger: 'none',
    run: ({ api }) =>
      viewOf(String(queryAt(place))) === 'balances'
        ? saveExport('balances', '/points/balances/export', () => api.points.exportBalances(askedAt(place, balanceShape)))
        : saveExport('points', '/points/export', () => api.points.export(askedAt(place, entryShape))),
    done: ({ rows }): Done => ({ stale: ['audit'], toast: { key: 'points.exported', values: { count: rows } } }),
  }),
  defineCommand({
    id: 'points.open',
    permission: place,
    icon: 'book-open',
    place,
    target: one('points'),
    params: null,
    danger: 'none',
    passing: true,
    run: ({ ui, targets: [target] }) => {
      if (target) ui.navigate(addressOpen(target.row.address));
    },
  }),
  defineCommand({
    ...copies,
    id: 'points.copyAddress',
    permission: place,
    place,
    target: one('points'),
    keys: [],
    run: ({ ui, targets }) => ui.copy(only(targets).row.address),
  }),
  { ...exploring('points.explore', 'points', place, ({ row }) => onEvm.address(row.address)), keys: [] },
  defineCommand({
    id: 'points.view',
    permission: place,
    icon: 'layers',
    place,
    target: none,
    params: null,
    danger: 'none',
    passing: true,
    keys: ['b'],
    run: ({ ui }) => {
      const query = queryAt(place);
      const address = query.get('address');
      const next = new URLSearchParams({
        ...(viewOf(String(query)) === 'entries' ? { view: 'balances' } : {}),
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
    target: one('balances'),
    params: null,
    danger: 'none',
    passing: true,
    run: ({ ui, targets: [target] }) => {
      if (target) ui.navigate(addressOpen(target.id));
    },
  }),
  defineCommand({
    ...copies,
    id: 'balances.copyAddress',
    permission: place,
    place,
    target: one('balances'),
    run: ({ ui, targets }) => ui.copy(only(targets).id),
  }),
  exploring('balances.explore', 'balances', place, ({ row }) => onEvm.address(row.address)),
];
