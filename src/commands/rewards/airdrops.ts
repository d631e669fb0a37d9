import type { AirdropFields, AirdropRow } from '../../../api/rewards/airdrops.ts';
import type { RecordedRow } from '../../../api/history.ts';
import { rewardNames } from '../../../api/rewards/names.ts';
import { airdropShape } from './airdrop-filters.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import { call, defineCommand, many, no, none, one, type Done } from '../engine/define.ts';
import { number, params, recordParams, text } from '../engine/fields.ts';
import { askedAt, saveExport } from '../engine/export.ts';

addNames(rewardNames);

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

const restored = ['address', 'berries', 'nftNumber', 'nftLevel', 'stage'] as const;

const versioned = (rows: readonly { id: string; version: number }[]) => rows.map(({ id, version }) => ({ id, version }));

/** What each of the rows that were changed had before: an undo puts back different ones at once. */
const eachOf = <V>(done: readonly AirdropRow[], before: readonly { row: AirdropRow }[], value: (row: AirdropRow) => V) => {
  const ids = new Set(done.map(({ id }) => id));
  return Object.fromEntries(before.flatMap(({ row }) => (ids.has(row.id) ? [[row.id, value(row)]] : [])));
};

export const airdrops = [
  defineCommand({
    id: 'airdrops.add',
    permission: 'airdrops.add',
    icon: 'plus',
    place,
    target: none,
    params: params(schema, fields),
    danger: 'reversible',
    keys: ['c'],
    run: ({ api, params: values }) => api.airdrops.add(values),
    done: (row): Done => ({ stale, undo: call('airdrops.delete', { targets: versioned([row]) }) }),
  }),
  defineCommand({
    id: 'airdrops.edit',
    permission: 'airdrops.edit',
    icon: 'pencil',
    place,
    target: one('airdrops'),
    params: recordParams('airdrops', schema, fields, fieldsOf),
    danger: 'reversible',
    keys: ['e'],
    run: async ({ api, targets: [target], params: values }) => {
      if (!target) throw new Error('airdrops.edit runs on one airdrop');
      const row = await api.airdrops.edit({ ...values, id: target.id, version: target.version });
      return { row, before: fieldsOf(target.row) };
    },
    done: ({ row, before }): Done => ({ stale, undo: call('airdrops.edit', { targets: versioned([row]), params: before }) }),
  }),
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
  defineCommand({
    id: 'airdrops.delete',
    permission: 'airdrops.delete',
    icon: 'trash-2',
    place,
    target: many('airdrops', { max: 200, batches: true }),
    params: null,
    danger: 'irreversible',
    keys: ['#', 'delete'],
    run: ({ api, targets }) => api.airdrops.remove({ items: versioned(targets) }),
    done: ({ failed }): Done => ({ stale, failed }),
  }),
  defineCommand({
    id: 'airdrops.restore',
    permission: 'airdrops.restore',
    icon: 'history',
    place,
    target: one('version'),
    params: null,
    when: ({ targets: [target] }) => {
      if (target?.row.entity !== 'airdrop') return no('audit.blocked.otherRecord');
      const { record, current } = target.row;
      return restored.some((name) => current?.[name] !== record[name]) || no('audit.blocked.same');
    },
    danger: 'reversible',
    confirm: true,
    changes: ({ targets: [target] }) => {
      const { record = {}, current = null } = target?.row ?? {};
      const pick = (row: RecordedRow) => Object.fromEntries(restored.map((name) => [name, row[name]]));
      return { entity: 'airdrop', before: current && pick(current), after: pick(record) };
    },
    run: async ({ api, targets: [target] }) => {
      if (!target) throw new Error('airdrops.restore runs on one version');
      const [entry = '', state] = target.row.id.split(':');
      const { current } = target.row;
      const row = await api.airdrops.restore({
        entry,
        state: state === 'before' ? 'before' : 'after',
        version: current === null ? null : target.version,
      });
      return { row, current };
    },
    done: ({ row, current }): Done => ({
      stale: ['airdrops', 'audit'],
      undo:
        current === null
          ? call('airdrops.delete', { targets: versioned([row]) })
          : call('airdrops.edit', { targets: versioned([row]), params: fieldsOf(current as unknown as AirdropRow) }),
    }),
  }),
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
  defineCommand({
    id: 'airdrops.open',
    permission: place,
    icon: 'book-open',
    place,
    target: one('airdrops'),
    params: null,
    danger: 'none',
    passing: true,
    run: ({ ui, targets: [target] }) => {
      if (!target) return;
      const query = new URLSearchParams(typeof location !== 'undefined' && location.pathname === place ? location.search : '');
      query.set('open', target.id);
      ui.navigate(`${place}?${query}`);
    },
  }),
  defineCommand({
    id: 'airdrops.copyAddress',
    permission: place,
    icon: 'copy',
    place,
    target: one('airdrops'),
    params: null,
    danger: 'none',
    passing: true,
    keys: ['shift+y'],
    run: ({ ui, targets: [target] }) => ui.copy(target?.row.address ?? ''),
    done: (): Done => ({ toast: { key: 'common.copied' } }),
  }),
];
