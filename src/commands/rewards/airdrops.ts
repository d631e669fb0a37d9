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

const screenPath = '/NFTAirdrop';
const loadSchemas = () => import('../../../api/rewards/airdrops.ts');
const staleQueries = ['airdrops'];

const nftLevel = numberField('airdrops.field.nftLevel');
const stageField = textField('airdrops.field.stage');
const fields = {
  address: textField('airdrops.field.address'),
  berries: numberField('airdrops.field.berries'),
  nftNumber: numberField('airdrops.field.nftNumber'),
  nftLevel,
  stage: stageField,
} as const;

const schema = () => loadSchemas().then(({ airdropFields }) => airdropFields);

/** An undo restores different values per row in one request. */
const valuesById = <V>(
  changedRows: readonly AirdropRow[],
  previousRows: readonly { row: AirdropRow }[],
  value: (row: AirdropRow) => V,
) => {
  const ids = new Set(changedRows.map(({ id }) => id));
  return Object.fromEntries(previousRows.flatMap(({ row }) => (ids.has(row.id) ? [[row.id, value(row)]] : [])));
};

const crud = crudCommands('airdrops', {
  place: screenPath,
  entity: 'airdrop',
  recorded: recorded.airdrop,
  schema,
  fields,
  routes: ({ airdrops: routes }) => routes,
});

export const airdrops = [
  crud.add,
  crud.edit,
  defineCommand({
    id: 'airdrops.setLevel',
    permission: 'airdrops.setLevel',
    icon: 'chevrons-up',
    place: screenPath,
    target: manyTargets('airdrops', { max: 200, batches: true }),
    params: paramSpec(
      () => loadSchemas().then(({ airdropLevelFields }) => airdropLevelFields),
      { nftLevel },
      ({ targets: [target, ...otherTargets] }) =>
        target?.entity === 'airdrops' && otherTargets.length === 0 ? { nftLevel: target.row.nftLevel } : {},
    ),
    danger: 'reversible',
    keys: ['l'],
    run: ({ api, targets, params: values }) => api.airdrops.setLevel({ ...values, items: toItemVersions(targets) }),
    done: ({ done, failed }, { targets }): CommandResult => ({
      stale: staleQueries,
      failed,
      undo: invocation('airdrops.setLevel', {
        targets: toItemVersions(done),
        params: { nftLevel: targets[0]?.row.nftLevel, each: valuesById(done, targets, (row) => row.nftLevel) },
      }),
    }),
  }),
  defineCommand({
    id: 'airdrops.setStage',
    permission: 'airdrops.setStage',
    icon: 'layers',
    place: screenPath,
    target: manyTargets('airdrops', { max: 200, batches: true }),
    params: paramSpec(
      () => loadSchemas().then(({ airdropStageFields }) => airdropStageFields),
      { stage: stageField },
      ({ targets: [target, ...otherTargets] }) =>
        target?.entity === 'airdrops' && otherTargets.length === 0 ? { stage: target.row.stage } : {},
    ),
    danger: 'reversible',
    keys: ['s'],
    run: ({ api, targets, params: values }) => api.airdrops.setStage({ ...values, items: toItemVersions(targets) }),
    done: ({ done, failed }, { targets }): CommandResult => ({
      stale: staleQueries,
      failed,
      undo: invocation('airdrops.setStage', {
        targets: toItemVersions(done),
        params: { stage: targets[0]?.row.stage, each: valuesById(done, targets, (row) => row.stage) },
      }),
    }),
  }),
  crud.remove,
  crud.restore,
  defineCommand({
    ...exportCommand,
    id: 'airdrops.export',
    permission: 'airdrops.export',
    place: screenPath,
    run: ({ api, params }) => saveExport(() => api.airdrops.export({ ...currentQueryOf(screenPath, airdropShape), ...params })),
  }),
  crud.open,
  defineCommand({
    ...copyCommand,
    id: 'airdrops.copyAddress',
    permission: screenPath,
    place: screenPath,
    target: oneTarget('airdrops'),
    run: ({ ui, targets }) => ui.copy(firstOf(targets).row.address),
  }),
  explorerCommands('airdrops.explore', 'airdrops', screenPath, ({ row }) => evmExplorerTarget.address(row.address)),
];
