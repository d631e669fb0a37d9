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

function onAvailability(changed: () => void): () => void {
  const stops = availabilityStores.map((store) => store.listen(changed));
  return () => {
    for (const stop of stops) stop();
  };
}

/**
 * A command that is not loaded has none. Compared as text, so that a moving cursor redraws only
 * on a changed verdict.
 */
export function useAssessments(
  commands: readonly { id: CommandId; targets?: readonly Target[] }[],
): readonly (Assessment | null)[] {
  const said = useSyncExternalStore(onAvailability, () =>
    JSON.stringify(
      commands.map(({ id, targets }) => {
        const command = registry.get(id);
        return command ? assessCommand(command, targets) : null;
      }),
    ),
  );
  return useMemo(() => JSON.parse(said) as (Assessment | null)[], [said]);
}

function useAssessment(id: CommandId, targets?: readonly Target[]): { command: AnyCommand; verdict: Assessment } | null {
  const [verdict] = useAssessments([targets ? { id, targets } : { id }]);
  const command = registry.get(id);
  return command && verdict ? { command, verdict } : null;
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
  blocked: ofView = null,
  explains,
  source = 'button',
  hidesKeys,
}: RunProps) {
  const judged = useAssessment(id, targets);
  useStore($keymap);
  if (!judged || judged.verdict.state === 'hidden') return null;
  const { command, verdict } = judged;
  const [keys] = hidesKeys ? [] : keysOf(id);
  const name = label ?? bilingualName(id);
  const blocked = verdict.state === 'blocked' ? t(verdict.reason, verdict.values) : ofView;
  const shared = {
    'data-command': id,
    'data-own': (command.target.kind === 'none' && command.place[0] === '/') || undefined,
    'aria-disabled': blocked !== null || undefined,
    onClick: () => runCommand(params ? { id, params } : { id }, source, targets),
    ...(keys ? { 'aria-keyshortcuts': ariaKeys(keys), 'data-tip-keys': compact ? keys : undefined } : {}),
  };
  const hint = blocked ? `${name} · ${blocked}` : name;
  if (compact) return <IconButton {...shared} label={hint} icon={<Icon name={command.icon} />} />;
  return (
    <>
      <Button
        {...shared}
        data-tip={(!explains && blocked) || undefined}
        look={look}
        icon={<Icon name={command.icon} />}
        keys={keys}
      >
        {name}
        {blocked && <span className="sr-only">{blocked}</span>}
      </Button>
      {explains && blocked && (
        <p aria-hidden="true" data-why={id} className="order-last basis-full text-2">
          {blocked}
        </p>
      )}
    </>
  );
}

/** 'mod+k' → 'Control+K' or 'Meta+K'. A sequence uses a space, because ARIA has no form for it. */
export function ariaKeys(keys: string): string {
  const mod = isMac() ? 'Meta' : 'Control';
  const named: Record<string, string> = {
    mod,
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
        .map((key) => named[key] ?? (key.length === 1 ? key.toUpperCase() : key.charAt(0).toUpperCase() + key.slice(1)))
        .join('+'),
    )
    .join(' ');
}

export function RowMenu({ target }: { target: Target }) {
  return (
    <Menu
      align="end"
      opener={(opener) => (
        <IconButton
          {...opener}
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

const deletes = ({ id, danger }: AnyCommand): boolean => danger === 'irreversible' || id.endsWith('.delete');

export function isDeleting(id: CommandId): boolean {
  const command = registry.get(id);
  return command !== undefined && deletes(command);
}

/** Opening comes first. Deleting comes last and is red. */
export function inMenuOrder(commands: readonly AnyCommand[]): readonly AnyCommand[] {
  const rank = (command: AnyCommand) => (deletes(command) ? 1 : command.id.endsWith('.open') ? -1 : 0);
  return commands.toSorted((one, other) => rank(one) - rank(other));
}

/** Rows of a list don't look up their commands until the menu opens. */
function RowItems({ target }: { target: Target }) {
  const targets = useMemo(() => [target], [target]);
  const fitting = inMenuOrder(registry.all.filter(({ target: of }) => of.kind !== 'none' && of.entity === target.entity));
  const item = ({ id }: AnyCommand) => <CommandItem key={id} id={id} targets={targets} source="row" />;
  return (
    <>
      {fitting.filter((command) => !deletes(command)).map(item)}
      <CommandItem id="list.like" />
      {fitting.filter(deletes).map(item)}
    </>
  );
}

export function CommandItem({
  id,
  targets,
  params,
  source = 'menu',
  label,
  blocked: ofView = null,
  hidesKeys,
}: Pick<RunProps, 'id' | 'targets' | 'params' | 'label' | 'blocked' | 'hidesKeys'> & { source?: 'menu' | 'row' }) {
  const judged = useAssessment(id, targets);
  useStore($keymap);
  if (!judged || judged.verdict.state === 'hidden') return null;
  const { command, verdict } = judged;
  const [keys] = hidesKeys ? [] : keysOf(id);
  return (
    <MenuItem
      icon={<Icon name={command.icon} />}
      keys={keys}
      danger={deletes(command)}
      blocked={verdict.state === 'blocked' ? t(verdict.reason, verdict.values) : (ofView ?? undefined)}
      onSelect={() => runCommand(params ? { id, params } : { id }, source, targets)}
    >
      {label ?? bilingualName(id)}
    </MenuItem>
  );
}
