import { useLayoutEffect, useRef, useState } from 'react';
import type { CommandId } from '../../../../api/names.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { bilingualName } from '../../../lib/i18n/name-of.ts';
import type { Target } from '../../../lib/scope.ts';
import { IconButton } from '../../../lib/ui/button.tsx';
import { Icon } from '../../../lib/ui/icon.tsx';
import { Menu } from '../../../lib/ui/overlay/menu.tsx';
import { CommandItem, CommandTrigger, isDeleting, useAssessments } from './command-trigger.tsx';

export interface RecordCommand {
  id: CommandId;
  targets?: readonly Target[];
  params?: Readonly<Record<string, unknown>>;
  label?: string;
  look?: 'primary' | 'danger';
  /** Why it cannot run now, where the record knows more than the command. */
  blocked?: string | null;
}

const maxButtons = 3;

/** As many buttons as fit in one row, at most three. The rest is under ⋯. */
export function RecordCommands({ commands }: { commands: readonly RecordCommand[] }) {
  const verdicts = useAssessments(commands);
  const permitted = commands.flatMap((command, at) => {
    const verdict = verdicts[at];
    if (!verdict || verdict.state === 'hidden') return [];
    const blocked = verdict.state === 'blocked' ? t(verdict.reason, verdict.values) : (command.blocked ?? null);
    return [{ ...command, blocked }];
  });
  const names = permitted.map(({ id, label }) => label ?? bilingualName(id)).join('\n');
  const { row, fitting } = useFitting(names);
  if (permitted.length === 0) return null;
  const shown = permitted.slice(0, fitting);
  const isDeletion = ({ id }: RecordCommand) => Number(isDeleting(id));
  const rest = permitted.slice(fitting).toSorted((one, other) => isDeletion(one) - isDeletion(other));
  return (
    <div className="flex flex-col gap-2">
      <div ref={row} data-commands className="flex gap-2 *:shrink-0">
        {shown.map((command, at) => (
          <CommandTrigger key={`${command.id} ${at}`} {...command} />
        ))}
        {rest.length > 0 && (
          <Menu opener={(opener) => <IconButton {...opener} label={t('record.more')} icon={<Icon name="ellipsis" />} />}>
            {rest.map((command, at) => (
              <CommandItem key={`${command.id} ${at}`} {...command} />
            ))}
          </Menu>
        )}
      </div>
      <Reasons of={shown} />
    </div>
  );
}

/** Hidden from screen readers, because each button contains its reason. */
function Reasons({ of }: { of: readonly RecordCommand[] }) {
  const reasons = new Map<string, RecordCommand>();
  for (const command of of) if (command.blocked && !reasons.has(command.blocked)) reasons.set(command.blocked, command);
  return [...reasons].map(([reason, { id, label }]) => (
    <p key={id} aria-hidden="true" data-why={id} className="text-2">
      {of.length > 1 && reasons.size > 1 ? `${label ?? bilingualName(id)} · ${reason}` : reason}
    </p>
  ));
}

/** How many buttons fit in the row. Starts again for other `names` and another width. */
function useFitting(names: string) {
  const row = useRef<HTMLDivElement>(null);
  const [fit, setFit] = useState({ names, width: 0, count: maxButtons });
  useLayoutEffect(() => {
    const element = row.current;
    if (!element) return;
    const measure = () => {
      const { clientWidth: width, scrollWidth } = element;
      if (fit.names !== names || fit.width !== width) setFit({ names, width, count: maxButtons });
      else if (scrollWidth > width && fit.count > 1) setFit({ names, width, count: fit.count - 1 });
    };
    measure();
    const observer = new ResizeObserver(measure);
    // A key hint can appear in a button.
    for (const observed of [element, ...element.children]) observer.observe(observed);
    return () => observer.disconnect();
  }, [names, fit]);
  return { row, fitting: fit.names === names ? fit.count : maxButtons };
}
