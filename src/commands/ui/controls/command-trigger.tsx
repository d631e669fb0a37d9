import { useStore } from '@nanostores/react';
import { useMemo, useSyncExternalStore } from 'react';
import type { CommandId } from '../../../../api/names.ts';
import { $evmWallet } from '../../../lib/evm/store.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { bilingualName } from '../../../lib/i18n/name-of.ts';
import { $expert } from '../../../lib/prefs/prefs.ts';
import { $viewContext, type Target } from '../../../lib/scope.ts';
import { $authorization, $codeSet, $permittedPaths } from '../../../lib/session/session.ts';
import { Button, IconButton } from '../../../lib/ui/button.tsx';
import { Icon } from '../../../lib/ui/icon.tsx';
import { isMac } from '../../../lib/ui/value/key-text.ts';
import { Menu, MenuItem } from '../../../lib/ui/overlay/menu.tsx';
import { registry } from '../../app/registry.ts';
import { runCommand } from '../../app/app.ts';
import { assessCommand } from '../../app/context.ts';
import { $freeze } from '../../custody/shared/freeze.ts';
import type { Assessment } from '../../engine/assess.ts';
import type { AnyCommand } from '../../engine/define.ts';
import { $keymap, keysOf } from '../../app/keymap.ts';

const availabilityStores = [
  $authorization,
  $codeSet,
  $permittedPaths,
  $viewContext,
  $expert,
  $evmWallet,
  $freeze,
  registry.$all,
] as const;

function onAvailability(onChange: () => void): () => void {
  const unsubscribers = availabilityStores.map((store) => store.listen(onChange));
  return () => {
    for (const unsubscribe of unsubscribers) unsubscribe();
  };
}

/**
 * A command that is not loaded has none. Compared as text, so that a moving cursor redraws only
 * on a changed verdict.
 */
export function useAssessments(
  commands: readonly { id: CommandId; targets?: readonly Target[] }[],
): readonly (Assessment | null)[] {
  const serializedAssessments = useSyncExternalStore(onAvailability, () =>
    JSON.stringify(
      commands.map(({ id, targets }) => {
        const command = registry.get(id);
        return command ? assessCommand(command, targets) : null;
      }),
    ),
  );
  return useMemo(() => JSON.parse(serializedAssessments) as (Assessment | null)[], [serializedAssessments]);
}

function useAssessment(id: CommandId, targets?: readonly Target[]): { command: AnyCommand; verdict: Assessment } | null {
  const [assessment] = useAssessments([targets ? { id, targets } : { id }]);
  const command = registry.get(id);
  return command && assessment ? { command, verdict: assessment } : null;
}

interface RunProps {
  id: CommandId;
  targets?: readonly Target[];
  params?: Readonly<Record<string, unknown>>;
  look?: 'primary' | 'secondary' | 'ghost' | 'danger';
  /** Icon only, with the name in the tooltip. */
  compact?: boolean;
  label?: string;
  /** Why it cannot run now, where the view knows more than the command. */
  blocked?: string | null;
  /** Shows the reason below it, not only in a tooltip. */
  explains?: true;
  source?: 'button' | 'row' | 'menu';
  /** Set this if the shortcut would not act on `targets`. */
  hidesKeys?: true;
}

/** Absent without permission, explained when it can't run. */
export function CommandTrigger({
  id,
  targets,
  params,
  look = 'secondary',
  compact = false,
  label,
  blocked: viewBlockReason = null,
  explains,
  source = 'button',
  hidesKeys,
}: RunProps) {
  const assessed = useAssessment(id, targets);
  useStore($keymap);
  if (!assessed || assessed.verdict.state === 'hidden') return null;
  const { command, verdict: assessment } = assessed;
  const [keys] = hidesKeys ? [] : keysOf(id);
  const name = label ?? bilingualName(id);
  const blockReason = assessment.state === 'blocked' ? t(assessment.reason, assessment.values) : viewBlockReason;
  const commonProps = {
    'data-command': id,
    'data-own': (command.target.kind === 'none' && command.place[0] === '/') || undefined,
    'aria-disabled': blockReason !== null || undefined,
    onClick: () => runCommand(params ? { id, params } : { id }, source, targets),
    ...(keys ? { 'aria-keyshortcuts': ariaKeys(keys), 'data-tip-keys': compact ? keys : undefined } : {}),
  };
  const hint = blockReason ? `${name} · ${blockReason}` : name;
  if (compact) return <IconButton {...commonProps} label={hint} icon={<Icon name={command.icon} />} />;
  return (
    <>
      <Button
        {...commonProps}
        data-tip={(!explains && blockReason) || undefined}
        look={look}
        icon={<Icon name={command.icon} />}
        keys={keys}
      >
        {name}
        {blockReason && <span className="sr-only">{blockReason}</span>}
      </Button>
      {explains && blockReason && (
        <p aria-hidden="true" data-why={id} className="order-last basis-full text-2">
          {blockReason}
        </p>
      )}
    </>
  );
}

/** 'mod+k' → 'Control+K' or 'Meta+K'. A sequence uses a space, because ARIA has no form for it. */
export function ariaKeys(keys: string): string {
  const modifierKey = isMac() ? 'Meta' : 'Control';
  const ariaKeyNames: Record<string, string> = {
    mod: modifierKey,
    ctrl: 'Control',
    up: 'ArrowUp',
    down: 'ArrowDown',
    left: 'ArrowLeft',
    right: 'ArrowRight',
  };
  return keys
    .split(' ')
    .map((stroke) =>
      stroke
        .split('+')
        .map((key) => ariaKeyNames[key] ?? (key.length === 1 ? key.toUpperCase() : key.charAt(0).toUpperCase() + key.slice(1)))
        .join('+'),
    )
    .join(' ');
}

export function RowMenu({ target }: { target: Target }) {
  return (
    <Menu
      align="end"
      opener={(openerProps) => (
        <IconButton
          {...openerProps}
          tabIndex={-1}
          label={t('palette.rowMenu', { name: target.name })}
          icon={<Icon name="ellipsis" />}
        />
      )}
    >
      <RowItems target={target} />
    </Menu>
  );
}

const isDeletion = ({ id, danger }: AnyCommand): boolean => danger === 'irreversible' || id.endsWith('.delete');

export function isDeletionCommand(id: CommandId): boolean {
  const command = registry.get(id);
  return command !== undefined && isDeletion(command);
}

/** Opening comes first. Deleting comes last and is red. */
export function sortForMenu(commands: readonly AnyCommand[]): readonly AnyCommand[] {
  const rank = (command: AnyCommand) => (isDeletion(command) ? 1 : command.id.endsWith('.open') ? -1 : 0);
  return commands.toSorted((a, b) => rank(a) - rank(b));
}

/** Rows of a list don't look up their commands until the menu opens. */
function RowItems({ target }: { target: Target }) {
  const targets = useMemo(() => [target], [target]);
  const rowCommands = sortForMenu(
    registry.all.filter(({ target: targetSpec }) => targetSpec.kind !== 'none' && targetSpec.entity === target.entity),
  );
  const item = ({ id }: AnyCommand) => <CommandItem key={id} id={id} targets={targets} source="row" />;
  return (
    <>
      {rowCommands.filter((command) => !isDeletion(command)).map(item)}
      <CommandItem id="list.like" />
      {rowCommands.filter(isDeletion).map(item)}
    </>
  );
}

export function CommandItem({
  id,
  targets,
  params,
  source = 'menu',
  label,
  blocked: viewBlockReason = null,
  hidesKeys,
}: Pick<RunProps, 'id' | 'targets' | 'params' | 'label' | 'blocked' | 'hidesKeys'> & { source?: 'menu' | 'row' }) {
  const assessed = useAssessment(id, targets);
  useStore($keymap);
  if (!assessed || assessed.verdict.state === 'hidden') return null;
  const { command, verdict: assessment } = assessed;
  const [keys] = hidesKeys ? [] : keysOf(id);
  return (
    <MenuItem
      icon={<Icon name={command.icon} />}
      keys={keys}
      danger={isDeletion(command)}
      blocked={assessment.state === 'blocked' ? t(assessment.reason, assessment.values) : (viewBlockReason ?? undefined)}
      onSelect={() => runCommand(params ? { id, params } : { id }, source, targets)}
    >
      {label ?? bilingualName(id)}
    </MenuItem>
  );
}
