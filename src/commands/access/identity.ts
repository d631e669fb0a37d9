import { accessNames } from '../../../api/access/names.ts';
import { groupSources } from '../../../api/access/identity-values.ts';
import type { MappingFields, MappingRow } from '../../../api/access/identity.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import type { Api } from '../../lib/net/client.ts';
import { roleText } from '../../lib/i18n/role-text.ts';
import {
  invocation,
  defineCommand,
  manyTargets,
  noTarget,
  oneTarget,
  type CommandResult,
  toItemVersion,
  firstOf,
  toItemVersions,
} from '../engine/define.ts';
import { choiceField, paramSpec, pickField, recordParams, type ParamField } from '../engine/fields.ts';
import { targetOf } from '../engine/resource.ts';
import { loadRevocationFields, tokenDefaults, tokenParams } from './token-params.ts';

addNames(accessNames);

export const mappingTarget = targetOf('groupMappings', ({ group, role }) => `${group} → ${roleText(role.name)}`);

const screenPath = '/permissions/identity';
const loadSchemas = () => import('../../../api/access/identity.ts');
const staleQueries = ['identity'];
const defaultLifeDays = 365;

/** A provisioned group's ID by its name. */
async function resolveGroup(api: Api, { source, value }: MappingFields): Promise<string> {
  if (source !== 'scim') return value;
  const { provisioning } = await api.identity.status();
  return provisioning.groups.find(({ name }) => name === value.trim())?.id ?? value;
}

const role = pickField('identity.field.role', async ({ api, signal }) =>
  (await api.administrators.roles(undefined, { signal })).map(({ id, name, description, beyond }) => ({
    value: id,
    label: roleText(name),
    note: roleText(description),
    ...(beyond ? { blocked: 'administrators.blocked.roleBeyond' as const } : {}),
  })),
);

const mappingParams = {
  source: choiceField(
    'identity.field.source',
    groupSources.map((source) => ({ value: source, label: `identity.source.${source}` as const })),
  ),
  value: { as: 'text', label: 'identity.field.group', hint: 'identity.mappings.groupHint' } as ParamField,
  role,
};

const fieldsOf = (row: MappingRow) => ({ role: row.role.id });

export const identity = [
  defineCommand({
    id: 'identity.addMapping',
    permission: 'identity.addMapping',
    icon: 'plus',
    place: screenPath,
    target: noTarget,
    params: paramSpec(
      () => loadSchemas().then(({ mappingFields }) => mappingFields),
      mappingParams,
      () => ({ source: 'claim' }),
    ),
    danger: 'reversible',
    keys: ['c'],
    run: async ({ api, params: values }) => api.identity.addMapping({ ...values, value: await resolveGroup(api, values) }),
    done: (row): CommandResult => ({
      stale: staleQueries,
      undo: invocation('identity.deleteMapping', { targets: toItemVersions([row]) }),
    }),
  }),
  defineCommand({
    id: 'identity.editMapping',
    permission: 'identity.editMapping',
    icon: 'pencil',
    place: screenPath,
    target: oneTarget('groupMappings'),
    params: recordParams(
      'groupMappings',
      () => loadSchemas().then(({ mappingRoleFields }) => mappingRoleFields),
      { role },
      fieldsOf,
    ),
    danger: 'reversible',
    run: async ({ api, targets, params: values }) => {
      const target = firstOf(targets);
      return { row: await api.identity.editMapping({ ...values, ...toItemVersion(target) }), before: fieldsOf(target.row) };
    },
    done: ({ row, before }): CommandResult => ({
      stale: staleQueries,
      undo: invocation('identity.editMapping', { targets: toItemVersions([row]), params: before }),
    }),
  }),
  defineCommand({
    id: 'identity.deleteMapping',
    permission: 'identity.deleteMapping',
    icon: 'trash-2',
    place: screenPath,
    target: manyTargets('groupMappings', { max: 200 }),
    params: null,
    danger: 'irreversible',
    run: ({ api, targets }) => api.identity.deleteMapping({ items: toItemVersions(targets) }),
    done: ({ failed }): CommandResult => ({ stale: staleQueries, failed }),
  }),
  defineCommand({
    id: 'identity.addScimToken',
    permission: 'identity.addScimToken',
    icon: 'key-round',
    place: screenPath,
    target: noTarget,
    params: paramSpec(
      () => loadSchemas().then(({ provisioningTokenFields }) => provisioningTokenFields),
      tokenParams,
      ({ now }) => tokenDefaults(now, defaultLifeDays),
    ),
    danger: 'none',
    keys: ['t'],
    run: async ({ api, ui, params: values }) => {
      const { token } = await api.identity.addScimToken(values);
      ui.openFactor({ kind: 'token', token });
    },
    done: (): CommandResult => ({ stale: staleQueries }),
  }),
  defineCommand({
    id: 'identity.revokeScimToken',
    permission: 'identity.revokeScimToken',
    icon: 'shield-off',
    place: screenPath,
    target: noTarget,
    params: paramSpec(loadRevocationFields, {
      token: pickField('services.field.token', async ({ api, signal }) =>
        (await api.identity.status(undefined, { signal })).provisioning.tokens
          .filter(({ state }) => state === 'live')
          .map(({ id, name, lastFour }) => ({ value: id, label: name, note: `…${lastFour}` })),
      ),
    }),
    danger: 'irreversible',
    run: ({ api, params: values }) => api.identity.revokeScimToken(values),
    done: (): CommandResult => ({ stale: staleQueries }),
  }),
];
