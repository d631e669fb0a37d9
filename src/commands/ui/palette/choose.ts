import { navigate } from 'wouter/use-browser-location';
import { copyText } from '../../../lib/clipboard.ts';
import type { Target } from '../../../lib/scope.ts';
import { assessCommand } from '../../app/context.ts';
import { dispatch } from '../../app/dispatcher.ts';
import { linkOf } from '../../app/links.ts';
import { isAskedInPalette } from '../../app/collect.ts';
import { $palette } from '../../app/open-dialogs.ts';
import type { AnyCommand } from '../../engine/define.ts';
import { $historyPage } from '../../macros/history-page.ts';
import { viewAddress } from '../../saved-views/commands.ts';
import type { Choice } from './choice.ts';
import { recordKindOf } from './search/searchers.ts';
import { recordUse } from './search/usage.ts';

interface Choosing {
  aimed: readonly Target[];
  query: string;
  close: () => void;
  narrow: (target: Target) => void;
}

export function runChoice(choice: Choice, { aimed, query, close, narrow }: Choosing): void {
  if (choice.kind === 'command') return void runFromPalette(choice.command, aimed, query, close);
  if (choice.kind === 'record') {
    const { target, id } = choice;
    const { open } = recordKindOf(choice);
    if (!open) return target ? narrow(target) : undefined;
    close();
    return void (target ? dispatch({ id: open }, 'palette', [target]) : dispatch({ id: open, targets: [id] }, 'palette'));
  }
  close();
  if (choice.kind === 'macro') $historyPage.set({ page: 'run', macro: choice.macro, targets: aimed });
  else if (choice.kind === 'view') void dispatch({ id: 'views.open', params: { view: choice.view.id } }, 'palette', []);
  else if (choice.kind === 'help') navigate(choice.help.to);
  else choice.filter.open();
}

export function runKeepingPalette(choice: Choice, aimedTargets: readonly Target[], close: () => void): void {
  if (choice.kind === 'macro' || choice.kind === 'filter') return;
  if (choice.kind === 'help') return void window.open(choice.help.to, '_blank', 'noopener');
  if (choice.kind === 'view') return void window.open(viewAddress(choice.view), '_blank', 'noopener');
  if (choice.kind === 'record') {
    const { open } = recordKindOf(choice);
    if (open) window.open(linkOf({ id: open, targets: [choice.id] }), '_blank', 'noopener');
    return;
  }
  const { id, target } = choice.command;
  const targets = target.kind === 'none' ? [] : aimedTargets.map((target) => target.id);
  void copy(`${location.origin}${linkOf({ id, targets })}`, close);
}

/** The palette stays open if the browser refuses, so that the text can be read. */
async function copy(text: string, close: () => void): Promise<void> {
  if (await copyText(text)) close();
}

async function runFromPalette(command: AnyCommand, targets: readonly Target[], query: string, close: () => void): Promise<void> {
  recordUse(command.id, query);
  const isDangerous = command.confirm === true || command.danger === 'irreversible' || command.danger === 'money';
  const isAsked =
    assessCommand(command, targets).state === 'ok' &&
    isAskedInPalette({ command, source: 'palette' }) &&
    (command.params !== null || isDangerous);
  if (!isAsked) close();
  const paletteState = $palette.get();
  const outcome = dispatch({ id: command.id }, 'palette', targets);
  if (!isAsked) return;
  const { status } = await outcome;
  if (status === 'canceled' && staysOpenFor(command)) return;
  if ($palette.get() === paletteState) $palette.set(null);
}

const staysOpenFor = (command: AnyCommand): boolean =>
  command.params !== null && isAskedInPalette({ command, source: 'palette' });
