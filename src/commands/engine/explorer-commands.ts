import type { RoutePath } from '../../../api/menu.ts';
import type { CommandId } from '../../../api/names.ts';
import { findExplorerUrl, hasExplorer, type ExplorerTarget } from '../../lib/explorer.ts';
import type { TextKey } from '../../lib/i18n/i18n.ts';
import type { EntityName, Target } from '../../lib/scope.ts';
import { defineCommand, blockedBecause, oneTarget, firstOf, type BlockReason, type CommandResult } from './define.ts';
import { choiceField, type ParamSpec } from './fields.ts';
import type { Ui } from './ui.ts';

type TargetToExplorer<E extends EntityName> = (target: Target<E>) => ExplorerTarget | null;

type EntityTarget = Pick<Target, 'entity'>;

const explorerCommand = <const Id extends CommandId, E extends EntityName>(id: Id, entity: E, place: RoutePath) =>
  ({
    id,
    permission: place,
    icon: 'external-link',
    place,
    target: oneTarget(entity),
    danger: 'none',
    excludeFromHistory: true,
    keys: ['shift+h'],
    done: (url: string | null): CommandResult => ({ toast: url === null ? { key: 'records.noExplorer' } : null }),
  }) as const;

/** `of` returns null if the record has no such thing. */
export function explorerCommands<const Id extends CommandId, E extends EntityName>(
  id: Id,
  entity: E,
  place: RoutePath,
  of: TargetToExplorer<E>,
) {
  const thingOf = (target: EntityTarget) => of(target as Target<E>);
  return defineCommand({
    ...explorerCommand(id, entity, place),
    params: null,
    when: ({ targets }: { targets: readonly EntityTarget[] }) => mayExplore(targets.map(thingOf)),
    run: ({ ui, targets }: { ui: OpensOutside; targets: readonly EntityTarget[] }) => openExplorer(ui, thingOf(firstOf(targets))),
  });
}

/** Enter picks the first that exists. */
export function explorerCommandsWithPick<const Id extends CommandId, E extends EntityName>(
  id: Id,
  entity: E,
  place: RoutePath,
  parts: Readonly<Record<string, { label: TextKey; of: TargetToExplorer<E> }>>,
) {
  const names = Object.keys(parts);
  const options = Object.entries(parts).map(([value, { label }]) => ({ value, label }));
  const thingOf = (name: string, target: EntityTarget | undefined) => (target && parts[name]?.of(target as Target<E>)) ?? null;
  const isOffered = (name: string, target: EntityTarget | undefined) => {
    const thing = thingOf(name, target);
    return thing !== null && hasExplorer(thing.chain) !== false;
  };
  const schema = async () => (await import('./explorer-schema.ts')).explorerSchema(names);
  const params: ParamSpec<Awaited<ReturnType<typeof schema>>> = {
    schema,
    fields: { what: { ...choiceField('records.explored', options), fits: (name, _, [target]) => isOffered(name, target) } },
    initial: ({ targets: [target] }) => ({ what: names.find((name) => isOffered(name, target)) }),
    check: async ({ what }, { targets: [target] }) => (thingOf(what, target) === null ? [{ path: 'what', rule: 'invalid' }] : []),
  };
  return defineCommand({
    ...explorerCommand(id, entity, place),
    params,
    when: ({ targets }: { targets: readonly EntityTarget[] }) =>
      mayExplore(targets.flatMap((target) => names.map((name) => thingOf(name, target)))),
    run: ({ ui, targets, params: { what } }: { ui: OpensOutside; targets: readonly EntityTarget[]; params: { what: string } }) =>
      openExplorer(ui, thingOf(what, firstOf(targets))),
  });
}

function mayExplore(things: readonly (ExplorerTarget | null)[]): true | BlockReason {
  const there = things.filter((thing) => thing !== null);
  if (there.length === 0) return blockedBecause('records.nothingOnChain');
  return there.some(({ chain }) => hasExplorer(chain) !== false) || blockedBecause('records.noExplorer');
}

type OpensOutside = Pick<Ui, 'openOutside'>;

/** Null: there is no explorer. */
async function openExplorer(ui: OpensOutside, what: ExplorerTarget | null): Promise<string | null> {
  const url = what && (await findExplorerUrl(what));
  if (url !== null) ui.openOutside(url);
  return url;
}
