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

const explorerCommand = <const Id extends CommandId, E extends EntityName>(id: Id, entity: E, screenPath: RoutePath) =>
  ({
    id,
    permission: screenPath,
    icon: 'external-link',
    place: screenPath,
    target: oneTarget(entity),
    danger: 'none',
    excludeFromHistory: true,
    keys: ['shift+h'],
    done: (url: string | null): CommandResult => ({ toast: url === null ? { key: 'records.noExplorer' } : null }),
  }) as const;

/** `explorerTargetOf` returns null if the record has no such thing. */
export function explorerCommands<const Id extends CommandId, E extends EntityName>(
  id: Id,
  entity: E,
  screenPath: RoutePath,
  explorerTargetOf: TargetToExplorer<E>,
) {
  const linkTargetOf = (target: EntityTarget) => explorerTargetOf(target as Target<E>);
  return defineCommand({
    ...explorerCommand(id, entity, screenPath),
    params: null,
    when: ({ targets }: { targets: readonly EntityTarget[] }) => checkExplorable(targets.map(linkTargetOf)),
    run: ({ ui, targets }: { ui: OutsideOpener; targets: readonly EntityTarget[] }) =>
      openExplorer(ui, linkTargetOf(firstOf(targets))),
  });
}

/** Enter picks the first that exists. */
export function explorerCommandsWithPick<const Id extends CommandId, E extends EntityName>(
  id: Id,
  entity: E,
  screenPath: RoutePath,
  choicesByName: Readonly<Record<string, { label: TextKey; of: TargetToExplorer<E> }>>,
) {
  const names = Object.keys(choicesByName);
  const options = Object.entries(choicesByName).map(([value, { label }]) => ({ value, label }));
  const linkTargetOf = (name: string, target: EntityTarget | undefined) =>
    (target && choicesByName[name]?.of(target as Target<E>)) ?? null;
  const isOffered = (name: string, target: EntityTarget | undefined) => {
    const linkTarget = linkTargetOf(name, target);
    return linkTarget !== null && hasExplorer(linkTarget.chain) !== false;
  };
  const schema = async () => (await import('./explorer-schema.ts')).explorerSchema(names);
  const params: ParamSpec<Awaited<ReturnType<typeof schema>>> = {
    schema,
    fields: { what: { ...choiceField('records.explored', options), fits: (name, _, [target]) => isOffered(name, target) } },
    initial: ({ targets: [target] }) => ({ what: names.find((name) => isOffered(name, target)) }),
    check: async ({ what }, { targets: [target] }) =>
      linkTargetOf(what, target) === null ? [{ path: 'what', rule: 'invalid' }] : [],
  };
  return defineCommand({
    ...explorerCommand(id, entity, screenPath),
    params,
    when: ({ targets }: { targets: readonly EntityTarget[] }) =>
      checkExplorable(targets.flatMap((target) => names.map((name) => linkTargetOf(name, target)))),
    run: ({ ui, targets, params: { what } }: { ui: OutsideOpener; targets: readonly EntityTarget[]; params: { what: string } }) =>
      openExplorer(ui, linkTargetOf(what, firstOf(targets))),
  });
}

function checkExplorable(linkTargets: readonly (ExplorerTarget | null)[]): true | BlockReason {
  const existingTargets = linkTargets.filter((linkTarget) => linkTarget !== null);
  if (existingTargets.length === 0) return blockedBecause('records.nothingOnChain');
  return existingTargets.some(({ chain }) => hasExplorer(chain) !== false) || blockedBecause('records.noExplorer');
}

type OutsideOpener = Pick<Ui, 'openOutside'>;

/** Null: there is no explorer. */
async function openExplorer(ui: OutsideOpener, linkTarget: ExplorerTarget | null): Promise<string | null> {
  const url = linkTarget && (await findExplorerUrl(linkTarget));
  if (url !== null) ui.openOutside(url);
  return url;
}
