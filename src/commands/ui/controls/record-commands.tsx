import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import type { CommandId } from '../../../../api/names.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { bilingualName } from '../../../lib/i18n/name-of.ts';
import type { Target } from '../../../lib/scope.ts';
import { IconButton } from '../../../lib/ui/button.tsx';
import { Icon } from '../../../lib/ui/icon.tsx';
import { Menu } from '../../../lib/ui/overlay/menu.tsx';
import { CommandItem, CommandTrigger, isDeletionCommand, useAssessments } from './command-trigger.tsx';

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
  const assessments = useAssessments(commands);
  const permittedCommands = commands.flatMap((command, index) => {
    const assessment = assessments[index];
    if (!assessment || assessment.state === 'hidden') return [];
    const blockReason = assessment.state === 'blocked' ? t(assessment.reason, assessment.values) : (command.blocked ?? null);
    return [{ ...command, blocked: blockReason }];
  });
  const names = permittedCommands.map(({ id, label }) => label ?? bilingualName(id)).join('\n');
  const { row, fitting } = useFitting(names);
  useKeptFocus(row, permittedCommands.map(({ id, blocked }) => `${id} ${blocked}`).join('\n'));
  if (permittedCommands.length === 0) return null;
  const visibleCommands = permittedCommands.slice(0, fitting);
  const isDeletion = ({ id }: RecordCommand) => Number(isDeletionCommand(id));
  const menuCommands = permittedCommands.slice(fitting).toSorted((a, b) => isDeletion(a) - isDeletion(b));
  return (
    <div className="flex flex-col gap-2">
      <div ref={row} data-commands className="flex gap-2 *:shrink-0">
        {visibleCommands.map((command, index) => (
          <CommandTrigger key={`${command.id} ${index}`} {...command} />
        ))}
        {menuCommands.length > 0 && (
          <Menu
            opener={(openerProps) => <IconButton {...openerProps} label={t('record.more')} icon={<Icon name="ellipsis" />} />}
          >
            {menuCommands.map((command, index) => (
              <CommandItem key={`${command.id} ${index}`} {...command} />
            ))}
          </Menu>
        )}
      </div>
      <Reasons of={visibleCommands} />
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

/** What a new state of the record removes leaves its focus to the record. */
function useKeptFocus(row: RefObject<HTMLElement | null>, state: string): void {
  useEffect(() => {
    const keepFocus = () => {
      if (document.activeElement === document.body)
        row.current?.closest<HTMLElement>('[role="dialog"]')?.focus({ preventScroll: true });
    };
    keepFocus();
    // A dialog that closes gives the focus back later.
    const frame = requestAnimationFrame(() => requestAnimationFrame(keepFocus));
    return () => cancelAnimationFrame(frame);
  }, [row, state]);
}

/** How many buttons fit in the row. Starts again for other `names` and another width. */
function useFitting(names: string) {
  const row = useRef<HTMLDivElement>(null);
  const [measured, setMeasured] = useState({ names, width: 0, count: maxButtons });
  useLayoutEffect(() => {
    const element = row.current;
    if (!element) return;
    const measure = () => {
      const { clientWidth: width, scrollWidth } = element;
      if (measured.names !== names || measured.width !== width) setMeasured({ names, width, count: maxButtons });
      else if (scrollWidth > width && measured.count > 1) setMeasured({ names, width, count: measured.count - 1 });
    };
    measure();
    const observer = new ResizeObserver(measure);
    // A key hint can appear in a button.
    for (const observedElement of [element, ...element.children]) observer.observe(observedElement);
    return () => observer.disconnect();
  }, [names, measured]);
  return { row, fitting: measured.names === names ? measured.count : maxButtons };
}
