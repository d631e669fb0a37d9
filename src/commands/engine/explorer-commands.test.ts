import { beforeEach, expect, test } from 'vitest';
import type { DepositRow } from '../../../api/deposits/contract.ts';
import { chainQuery } from '../../lib/explorer.ts';
import { queryClient } from '../../lib/net/query.ts';
import type { Target } from '../../lib/scope.ts';
import { registry } from '../app/all.ts';
import { depositTarget } from '../deposits/commands.ts';
import { pointsTarget } from '../rewards/points.ts';
import { visitTarget } from '../statistics/commands.ts';

const txid = 'a'.repeat(64);
const mint = `0x${'b'.repeat(64)}`;
const user = `0x${'c'.repeat(40)}`;
const setExplorers = (explorers: { bitcoin: string | null; evm: string | null }) =>
  queryClient.setQueryData(chainQuery.queryKey, { explorers });
const deposit = (hash: string | null): Target =>
  depositTarget({
    id: '1',
    version: 1,
    amount: '1',
    txid,
    vout: 0,
    coboAddress: 'bc1q',
    userAddress: user,
    mint: { hash },
  } as DepositRow);

async function explore(id: Parameters<typeof registry.get>[0], target: Target, params: object = {}) {
  const command = registry.get(id);
  const availability = command?.when?.({ targets: [target as never], viewContext: null });
  if (availability !== true) return { blocked: availability?.reason };
  const openedUrls: string[] = [];
  const ui = { openOutside: (url: string) => void openedUrls.push(url) };
  const result = await command?.run({ ui, targets: [target], params } as never);
  return { opened: openedUrls, toast: command?.done?.(result as never, {} as never).toast };
}

beforeEach(() => queryClient.clear());

test('each item of a deposit opens in the explorer of its own chain', async () => {
  setExplorers({ bitcoin: 'https://bitcoin.example', evm: 'https://evm.example/x' });
  const openedUrlsFor = async (item: string) => (await explore('deposits.explore', deposit(mint), { what: item })).opened;
  expect(await openedUrlsFor('txid')).toEqual([`https://bitcoin.example/tx/${txid}`]);
  expect(await openedUrlsFor('mint')).toEqual([`https://evm.example/x/tx/${mint}`]);
  expect(await openedUrlsFor('custody')).toEqual(['https://bitcoin.example/address/bc1q']);
  expect(await openedUrlsFor('user')).toEqual([`https://evm.example/x/address/${user}`]);
});

test('a missing item of a deposit is not offered, and refused when requested', async () => {
  const command = registry.get('deposits.explore');
  const field = command?.params?.fields['what'];
  const availableChoices = (hash: string | null) =>
    field?.as === 'choice'
      ? field.options.filter(({ value }) => field.fits?.(value, {}, [deposit(hash)])).map(({ value }) => value)
      : [];
  expect(availableChoices(null)).toEqual(['txid', 'custody', 'user']);
  expect(availableChoices(mint)).toEqual(['txid', 'mint', 'custody', 'user']);
  setExplorers({ bitcoin: null, evm: 'https://evm.example' });
  expect(availableChoices(mint)).toEqual(['mint', 'user']);
  const checkItem = (item: string) => command?.params?.check?.({ what: item }, { targets: [deposit(null)] } as never);
  expect(await checkItem('mint')).toEqual([{ path: 'what', rule: 'invalid' }]);
  expect(await checkItem('txid')).toEqual([]);
});

test('a single address opens without a question', async () => {
  setExplorers({ bitcoin: null, evm: 'https://evm.example' });
  const row = { id: '2', version: 1, address: user, berries: '1' };
  expect(registry.get('points.explore')?.params).toBeNull();
  expect(await explore('points.explore', pointsTarget(row as never))).toEqual({
    opened: [`https://evm.example/address/${user}`],
    toast: null,
  });
});

test('exploring without an explorer or an item shows a message and opens nothing', async () => {
  const buildVisit = (address: string | null) =>
    visitTarget({ id: '3', page: '/', at: '2026-01-01T00:00:00Z', address } as never);
  setExplorers({ bitcoin: null, evm: null });
  expect(await explore('visits.explore', buildVisit(user))).toEqual({ blocked: 'records.noExplorer' });
  setExplorers({ bitcoin: null, evm: 'https://evm.example' });
  expect(await explore('visits.explore', buildVisit(null))).toEqual({ blocked: 'records.nothingOnChain' });
  expect(await explore('deposits.explore', deposit(mint), { what: 'txid' })).toEqual({
    opened: [],
    toast: { key: 'records.noExplorer' },
  });
});
