import { accessNames } from '../../../api/access/names.ts';
import { serviceMoneyRights, gracePeriods } from '../../../api/access/service-values.ts';
import type { ServiceRow } from '../../../api/access/services.ts';
import { addNames, bilingualName } from '../../lib/i18n/name-of.ts';
import { pickLocaleName, t } from '../../lib/i18n/i18n.ts';
import type { Target } from '../../lib/scope.ts';
import { openCommand } from '../engine/crud.ts';
import {
  invocation,
  defineCommand,
  manyTargets,
  blockedBecause,
  noTarget,
  oneTarget,
  type CommandResult,
  toItemVersion,
  firstOf,
  toItemVersions,
} from '../engine/define.ts';
import {
  choiceField,
  multilineField,
  multiPickField,
  optionalPicksField,
  paramSpec,
  pickField,
  recordParams,
  treeField,
  type FieldContext,
  type FieldOption,
  type ParamField,
  type TreeOption,
} from '../engine/fields.ts';
import { targetOf } from '../engine/resource.ts';
import { loadRevocationFields, tokenDefaults, tokenParams } from './token-params.ts';

addNames(accessNames);

export const serviceTarget = targetOf('services', ({ name }) => name);

const screenPath = '/permissions/service';
const loadSchemas = () => import('../../../api/access/services.ts');
const serviceSchema = () => loadSchemas().then(({ serviceFields }) => serviceFields);
const staleQueries = ['services'];
const defaultLifeDays = 90;

const fields = {
  name: { as: 'text', label: 'services.field.name', hint: 'services.nameHint' } as ParamField,
  description: multilineField('services.field.description'),
  owners: multiPickField('services.field.owners', 'services.noChoices', async ({ api, signal }) =>
    (await api.services.choices(undefined, { signal })).map(({ id, email }) => ({ value: id, label: email })),
  ),
} as const;

const fieldsOf = ({ name, description, owners }: ServiceRow) => ({ name, description, owners: owners.map(({ id }) => id) });

async function scopeTree({ api, signal }: FieldContext): Promise<TreeOption[]> {
  const nodes = await api.services.tree(undefined, { signal });
  return nodes.map(({ id, parentId, kind, identifier, zh, en, blocked }) => ({
    id,
    parentId,
    label: pickLocaleName({ zh, en }),
    identifier,
    also: `${zh} ${en}`,
    isMenu: kind === 'menu',
    ...(blocked && !nodes.some((node) => node.parentId === id && node.kind === 'menu')
      ? { blocked: `services.blocked.${blocked}` as const }
      : {}),
  }));
}

const serviceTokenParams = {
  name: tokenParams.name,
  expiresAt: tokenParams.expiresAt,
  scopes: treeField('services.field.scopes', scopeTree),
  moneyScopes: optionalPicksField('services.field.moneyScopes', 'services.noChoices', async ({ api, signal }) => {
    const nodes = await api.services.tree(undefined, { signal });
    return serviceMoneyRights
      .filter((right) => nodes.some(({ identifier }) => identifier === right))
      .map((right) => ({ value: right, label: bilingualName(right), note: t('services.moneyHint') }));
  }),
  networks: tokenParams.networks,
} as const;

const hasTokens = ({ targets }: { targets: readonly Target<'services'>[] }) =>
  firstOf(targets).row.tokens > 0 || blockedBecause('services.blocked.noTokens');

/** Tokens of the account that still work. */
async function workingTokens({ api, targets: [target], signal }: FieldContext, rotatable: boolean): Promise<FieldOption[]> {
  if (!target) return [];
  const { tokens } = await api.services.details({ id: target.id }, { signal });
  return tokens
    .filter(({ state }) => state === 'live' || (!rotatable && state === 'replaced'))
    .map(({ id, name, lastFour }) => ({ value: id, label: name, note: `…${lastFour}` }));
}

export const services = [
  defineCommand({
    id: 'services.add',
    permission: 'services.add',
    icon: 'plus',
    place: screenPath,
    target: noTarget,
    params: paramSpec(serviceSchema, fields),
    danger: 'reversible',
    keys: ['c'],
    run: ({ api, params: values }) => api.services.add(values),
    done: (row): CommandResult => ({
      stale: staleQueries,
      undo: invocation('services.delete', { targets: toItemVersions([row]) }),
    }),
  }),
  defineCommand({
    id: 'services.edit',
    permission: 'services.edit',
    icon: 'pencil',
    place: screenPath,
    target: oneTarget('services'),
    params: recordParams('services', serviceSchema, fields, fieldsOf),
    danger: 'reversible',
    keys: ['e'],
    run: async ({ api, targets, params: values }) => {
      const target = firstOf(targets);
      return { row: await api.services.edit({ ...values, ...toItemVersion(target) }), before: fieldsOf(target.row) };
    },
    done: ({ row, before }): CommandResult => ({
      stale: staleQueries,
      undo: invocation('services.edit', { targets: toItemVersions([row]), params: before }),
    }),
  }),
  defineCommand({
    id: 'services.enable',
    permission: 'services.enable',
    icon: 'user-check',
    place: screenPath,
    target: manyTargets('services', { max: 200 }),
    params: null,
    when: ({ targets }) => targets.some(({ row }) => !row.enabled) || blockedBecause('services.blocked.enabled'),
    danger: 'reversible',
    confirm: true,
    keys: ['a'],
    run: ({ api, targets }) => api.services.enable({ items: toItemVersions(targets.filter(({ row }) => !row.enabled)) }),
    done: ({ done, failed }): CommandResult => ({
      stale: staleQueries,
      failed,
      undo: invocation('services.disable', { targets: toItemVersions(done) }),
    }),
  }),
  defineCommand({
    id: 'services.disable',
    permission: 'services.disable',
    icon: 'user-x',
    place: screenPath,
    target: manyTargets('services', { max: 200 }),
    params: null,
    when: ({ targets }) => targets.some(({ row }) => row.enabled) || blockedBecause('services.blocked.disabled'),
    danger: 'reversible',
    confirm: true,
    keys: ['d'],
    run: ({ api, targets }) => api.services.disable({ items: toItemVersions(targets.filter(({ row }) => row.enabled)) }),
    done: ({ done, failed }): CommandResult => ({
      stale: staleQueries,
      failed,
      undo: invocation('services.enable', { targets: toItemVersions(done) }),
    }),
  }),
  defineCommand({
    id: 'services.addToken',
    permission: 'services.addToken',
    icon: 'key-round',
    place: screenPath,
    target: oneTarget('services'),
    params: paramSpec(
      () => loadSchemas().then(({ tokenFields }) => tokenFields),
      serviceTokenParams,
      ({ now }) => ({ ...tokenDefaults(now, defaultLifeDays), scopes: [], moneyScopes: [] }),
    ),
    danger: 'none',
    keys: ['t'],
    run: async ({ api, ui, targets, params: values }) => {
      const made = await api.services.addToken({ ...values, id: firstOf(targets).id });
      ui.openFactor({ kind: 'token', token: made.token });
      return made;
    },
    done: (): CommandResult => ({ stale: staleQueries }),
  }),
  defineCommand({
    id: 'services.rotateToken',
    permission: 'services.rotateToken',
    icon: 'refresh-cw',
    place: screenPath,
    target: oneTarget('services'),
    params: paramSpec(
      () => loadSchemas().then(({ rotationFields }) => rotationFields),
      {
        token: pickField('services.field.token', (context) => workingTokens(context, true)),
        grace: choiceField(
          'services.field.grace',
          gracePeriods.map((period) => ({ value: period, label: `services.grace.${period}` as const })),
        ),
      },
      () => ({ grace: 'hour' }),
    ),
    when: hasTokens,
    danger: 'none',
    run: async ({ api, ui, targets, params: values }) => {
      const made = await api.services.rotateToken({ ...values, id: firstOf(targets).id });
      ui.openFactor({ kind: 'token', token: made.token });
      return made;
    },
    done: (): CommandResult => ({ stale: staleQueries }),
  }),
  defineCommand({
    id: 'services.revokeToken',
    permission: 'services.revokeToken',
    icon: 'shield-off',
    place: screenPath,
    target: oneTarget('services'),
    params: paramSpec(loadRevocationFields, {
      token: pickField('services.field.token', (context) => workingTokens(context, false)),
    }),
    when: hasTokens,
    danger: 'irreversible',
    run: ({ api, targets, params: values }) => api.services.revokeToken({ ...values, id: firstOf(targets).id }),
    done: (): CommandResult => ({ stale: staleQueries }),
  }),
  defineCommand({
    id: 'services.delete',
    permission: 'services.delete',
    icon: 'trash-2',
    place: screenPath,
    target: manyTargets('services', { max: 200 }),
    params: null,
    danger: 'irreversible',
    keys: ['#', 'delete'],
    run: ({ api, targets }) => api.services.remove({ items: toItemVersions(targets) }),
    done: ({ failed }): CommandResult => ({ stale: staleQueries, failed }),
  }),
  openCommand('services.open', 'services', screenPath),
];
