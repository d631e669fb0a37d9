import type { AirdropRow } from '../../../api/rewards/airdrops.ts';
import { rewardNames } from '../../../api/rewards/names.ts';
import { airdropShape } from './airdrop-filters.ts';
import { evmExplorerTarget } from '../../lib/explorer.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import { crudCommands } from '../engine/crud.ts';
import {
  invocation,
  defineCommand,
  manyTargets,
  type CommandResult,
  toItemVersions,
  copyCommand,
  oneTarget,
  firstOf,
} from '../engine/define.ts';
import { numberField, paramSpec, textField } from '../engine/fields.ts';
import { explorerCommands } from '../engine/explorer-commands.ts';
import { currentQueryOf, exportCommand, saveExport } from '../engine/export.ts';
import { targetOf } from '../engine/resource.ts';
import { recorded } from './recorded.ts';

addNames(rewardNames);

export const airdropTarget = targetOf('airdrops', ({ address }) => address);

const place = '/NFTAirdrop';
const schemas = () => import('../../../api/rewards/airdrops.ts');
const stale = ['airdrops'];

const nftLevel = numberField('airdrops.field.nftLevel');
const stage = textField('airdrops.field.stage');
const fields = {
  address: textField('airdrops.field.address'),
  berries: numberField('airdrops.field.berries'),
  nftNumber: numberField('airdrops.field.nftNumber'),
  nftLevel,
  stage,
} as const;

const schema = () => schemas().then(({ airdropFields }) => airdropFields);

/** An undo restores different values per row in one request. */
const eachOf = <V>(done: readonly AirdropRow[], before: readonly { row: AirdropRow }[], value: (row: AirdropRow) => V) => {
  const ids = new Set(done.map(({ id }) => id));
  return Object.fromEntries(before.flatMap(({ row }) => (ids.has(row.id) ? [[row.id, value(row)]] : [])));
};

const kit = crudCommands('airdrops', {
  place,
  entity: 'airdrop',
  recorded: recorded.airdrop,
  schema,
  fields,
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
    target: manyTargets('airdrops', { max: 200, batches: true }),
    params: paramSpec(
      () => schemas().then(({ airdropLevel }) => airdropLevel),
      { nftLevel },
      ({ targets: [target, ...others] }) =>
        target?.entity === 'airdrops' && others.length === 0 ? { nftLevel: target.row.nftLevel } : {},
    ),
    danger: 'reversible',
    keys: ['l'],
    run: ({ api, targets, params: values }) => api.airdrops.setLevel({ ...values, items: toItemVersions(targets) }),
    done: ({ done, failed }, { targets }): CommandResult => ({
      stale,
      failed,
      undo: invocation('airdrops.setLevel', {
        targets: toItemVersions(done),
        params: { nftLevel: targets[0]?.row.nftLevel, each: eachOf(done, targets, (row) => row.nftLevel) },
      }),
    }),
  }),
  defineCommand({
    id: 'airdrops.setStage',
    permission: 'airdrops.setStage',
    icon: 'layers',
    place,
    target: manyTargets('airdrops', { max: 200, batches: true }),
    params: paramSpec(
      () => schemas().then(({ airdropStage }) => airdropStage),
      { stage },
      ({ targets: [target, ...others] }) =>
        target?.entity === 'airdrops' && others.length === 0 ? { stage: target.row.stage } : {},
    ),
    danger: 'reversible',
    keys: ['s'],
    run: ({ api, targets, params: values }) => api.airdrops.setStage({ ...values, items: toItemVersions(targets) }),
    done: ({ done, failed }, { targets }): CommandResult => ({
      stale,
      failed,
      undo: invocation('airdrops.setStage', {
        targets: toItemVersions(done),
        params: { stage: targets[0]?.row.stage, each: eachOf(done, targets, (row) => row.stage) },
      }),
    }),
  }),
  kit.remove,
  kit.restore,
  defineCommand({
    ...exportCommand,
    id: 'airdrops.export',
    permission: 'airdrops.export',
    place,
    run: ({ api, params }) => saveExport(() => api.airdrops.export({ ...currentQueryOf(place, airdropShape), ...params })),
  }),
  kit.open,
  defineCommand({
    ...copyCommand,
    id: 'airdrops.copyAddress',
    permission: place,
    place,
    target: oneTarget('airdrops'),
    run: ({ ui, targets }) => ui.copy(firstOf(targets).row.address),
  }),
  explorerCommands('airdrops.explore', 'airdrops', place, ({ row }) => evmExplorerTarget.address(row.address)),
];
