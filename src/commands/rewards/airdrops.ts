import type { AirdropFields, AirdropRow } from '../../../api/rewards/airdrops.ts';
import { rewardNames } from '../../../api/rewards/names.ts';
import { airdropShape } from './airdrop-filters.ts';
import { onEvm } from '../../lib/explorer.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import { crud } from '../engine/crud.ts';
import { call, defineCommand, many, none, type Done, versioned, copies, one, only } from '../engine/define.ts';
import { number, params, recordParams, text } from '../engine/fields.ts';
import { exploring } from '../engine/exploring.ts';
import { askedAt, saveExport } from '../engine/export.ts';
import { targetOf } from '../engine/resource.ts';
import { recorded } from './recorded.ts';

addNames(rewardNames);

export const airdropTarget = targetOf('airdrops', ({ address }) => address);

const place = '/NFTAirdrop';
const schemas = () => import('../../../api/rewards/airdrops.ts');
const stale = ['airdrops'];

const nftLevel = number('airdrops.field.nftLevel');
const stage = text('airdrops.field.stage');
const fields = {
  address: text('airdrops.field.address'),
  berries: number('airdrops.field.berries'),
  nftNumber: number('airdrops.field.nftNumber'),
  nftLevel,
  stage,
} as const;

const schema = () => schemas().then(({ airdropFields }) => airdropFields);

const fieldsOf = (row: AirdropRow): AirdropFields => ({
  address: row.address,
  berries: row.berries,
  nftNumber: row.nftNumber,
  nftLevel: row.nftLevel,
  stage: row.stage,
});

/** An undo restores different values per row in one request. */
const eachOf = <V>(done: readonly AirdropRow[], before: readonly { row: AirdropRow }[], value: (row: AirdropRow) => V) => {
  const ids = new Set(done.map(({ id }) => id));
  return Object.fromEntries(before.flatMap(({ row }) => (ids.has(row.id) ? [[row.id, value(row)]] : [])));
};

const kit = crud('airdrops', {
  place,
  restores: { entity: 'airdrop', fields: Object.keys(fields), shown: recorded.airdrop },
  adds: params(schema, fields),
  edits: recordParams('airdrops', schema, fields, fieldsOf),
  valuesOf: fieldsOf,
  routes: ({ airdrops: routes }) => routes,
});

export const airdrops = [
  kit.add,
  kit.edit,
  defineCommand({
    id: 'airdrops.setLevel',
    permission: 'airdrops.setLevel',
    icon: 'chevrons-up',
    place,
    target: many('airdrops', { max: 200, batches: true }),
    params: params(
      () => schemas().then(({ airdropLevel }) => airdropLevel),
      { nftLevel },
      ({ targets: [target, ...others] }) =>
        target?.entity === 'airdrops' && others.length === 0 ? { nftLevel: target.row.nftLevel } : {},
    ),
    danger: 'reversible',
    keys: ['l'],
    run: ({ api, targets, params: values }) => api.airdrops.setLevel({ ...values, items: versioned(targets) }),
    done: ({ done, failed }, { targets }): Done => ({
      stale,
      failed,
      undo: call('airdrops.setLevel', {
        targets: versioned(done),
        params: { nftLevel: targets[0]?.row.nftLevel, each: eachOf(done, targets, (row) => row.nftLevel) },
      }),
    }),
  }),
  defineCommand({
    id: 'airdrops.setStage',
    permission: 'airdrops.setStage',
    icon: 'layers',
    place,
    target: many('airdrops', { max: 200, batches: true }),
    params: params(
      () => schemas().then(({ airdropStage }) => airdropStage),
      { stage },
      ({ targets: [target, ...others] }) =>
        target?.entity === 'airdrops' && others.length === 0 ? { stage: target.row.stage } : {},
    ),
    danger: 'reversible',
    keys: ['s'],
    run: ({ api, targets, params: values }) => api.airdrops.setStage({ ...values, items: versioned(targets) }),
    done: ({ done, failed }, { targets }): Done => ({
      stale,
      failed,
      undo: call('airdrops.setStage', {
        targets: versioned(done),
        params: { stage: targets[0]?.row.stage, each: eachOf(done, targets, (row) => row.stage) },
      }),
    }),
  }),
  kit.remove,
  kit.restore,
  defineCommand({
    id: 'airdrops.export',
    permission: 'airdrops.export',
    icon: 'download',
    place,
    target: none,
    params: null,
    danger: 'none',
    run: ({ api }) => saveExport('airdrops', `${place}/export`, () => api.airdrops.export(askedAt(place, airdropShape))),
    done: ({ rows }): Done => ({ stale: ['audit'], toast: { key: 'airdrops.exported', values: { count: rows } } }),
  }),
  kit.open,
  defineCommand({
    ...copies,
    id: 'airdrops.copyAddress',
    permission: place,
    place,
    target: one('airdrops'),
    run: ({ ui, targets }) => ui.copy(only(targets).row.address),
  }),
  exploring('airdrops.explore', 'airdrops', place, ({ row }) => onEvm.address(row.address)),
];
