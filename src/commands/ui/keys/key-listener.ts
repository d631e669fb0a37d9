import { atom } from 'nanostores';
import { isMac } from '../../../lib/ui/value/key-text.ts';
import { registry } from '../../app/registry.ts';
import { assessCommand } from '../../app/context.ts';
import { dispatch } from '../../app/dispatcher.ts';
import type { AnyCommand } from '../../engine/define.ts';
import { createKeyMatcher, isImeEvent, isSingleKey, isStroke, nativeKeys, type Binding } from '../../engine/keys/keys.ts';
import { $keymap, $singleKeys } from '../../app/keymap.ts';
import { $historyPage } from '../../macros/history-page.ts';
import { $confirm, $keySheet, $palette, $question } from '../../app/open-dialogs.ts';
import { awaitRows } from './await-rows.ts';

export const $pendingKeys = atom<readonly Binding[]>([]);

const pendingTime = 1000;
const editingKeys = new Set(['mod+a', 'mod+c', 'mod+v', 'mod+x', 'mod+z', 'mod+y', 'mod+b']);

// Escape that cancels an input method's composition must not reach dialogs, batches or fields. The
// capture listener comes before all others.
addEventListener('keydown', (event) => event.key === 'Escape' && isImeEvent(event) && event.stopImmediatePropagation(), true);

/** Returns a function that stops listening. */
export function listenToKeys(): () => void {
  const matcher = createKeyMatcher();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const wait = (waiting: readonly Binding[]) => {
    clearTimeout(timer);
    if (waiting.length > 0 || $pendingKeys.get().length > 0) $pendingKeys.set(waiting);
    if (waiting.length > 0) timer = setTimeout(() => $pendingKeys.set([]), pendingTime);
  };

  const onKey = (event: KeyboardEvent) => {
    if (isImeEvent(event) || event.defaultPrevented || isNoKey.has(event.key)) return;
    const place = placeOf(event);
    if (place === 'dialog') {
      matcher.reset();
      return wait([]);
    }
    if (place === 'page' && event.key !== 'Escape') {
      if (isBrowsers(event)) rows.drop();
      else if (rows.holds(event)) return event.preventDefault();
    }
    const keymap = $keymap.get();
    const { hit, waiting } = matcher.press(event, keymap, {
      isLive: (binding) => isLive(binding, place),
      isMac: isMac(),
      now: event.timeStamp,
    });
    wait(waiting);
    if (waiting.length > 0) return event.preventDefault();
    if (!hit) return;
    const command = registry.get(hit.id);
    if (!command || (event.repeat && !command.repeats)) return;
    event.preventDefault();
    if (rows.holds(event, command)) return;
    const outcome = dispatch({ id: command.id }, 'key');
    if (opensForm(command)) hold(outcome);
  };

  const rows = awaitRows(replay);

  // Enter waits until the requested question is shown, so that it never acts on the row behind.
  let held = 0;
  const hold = (outcome: Promise<unknown>) => {
    held++;
    const stops = [$question, $confirm, $palette].map((open) => open.listen((value) => value && release()));
    const release = () => {
      for (const stop of stops.splice(0)) stop();
      held = 0;
    };
    void outcome.finally(release);
  };
  const refuseEnter = (event: KeyboardEvent) => {
    if (held === 0 || event.key !== 'Enter' || placeOf(event) === 'dialog') return;
    event.preventDefault();
    event.stopPropagation();
  };

  // A key held while focus moves must not type or press at the new place.
  let began: { code: string; target: EventTarget | null } | null = null;
  const refuseCarriedOver = (event: KeyboardEvent) => {
    if (!event.repeat) began = { code: event.code, target: event.target };
    else if (
      began?.code === event.code &&
      began.target !== event.target &&
      isTypingOrPressing(event) &&
      placeOf(event) !== 'page'
    ) {
      event.preventDefault();
      event.stopPropagation();
    }
  };

  addEventListener('keydown', refuseCarriedOver, true);
  addEventListener('keydown', refuseEnter, true);
  addEventListener('keydown', onKey);
  replay(window.earlyKeys?.take() ?? []);
  return () => {
    removeEventListener('keydown', refuseCarriedOver, true);
    removeEventListener('keydown', refuseEnter, true);
    removeEventListener('keydown', onKey);
    rows.drop();
    clearTimeout(timer);
  };
}

/** Replays keys pressed before the page was ready. Text goes into the palette. */
function replay(early: readonly KeyboardEvent[]): void {
  if ($palette.get()) return typeAhead(early);
  for (const [at, { key, code, ctrlKey, metaKey, altKey, shiftKey }] of early.entries()) {
    const isHeard = !document.body.dispatchEvent(
      new KeyboardEvent('keydown', { key, code, ctrlKey, metaKey, altKey, shiftKey, bubbles: true, cancelable: true }),
    );
    if (!isHeard || !(ctrlKey || metaKey)) continue;
    const stop = $palette.listen(() => {
      stop();
      typeAhead(early.slice(at + 1));
    });
    return void setTimeout(stop);
  }
}

/** Stops at the first key that is not text, because its target was not visible. */
function typeAhead(keys: readonly KeyboardEvent[]): void {
  const open = $palette.get();
  const end = keys.findIndex(({ key, ctrlKey, metaKey }) => key.length > 1 || ctrlKey || metaKey);
  const typed = keys.slice(0, end < 0 ? keys.length : end).map(({ key }) => key);
  if (open && typed.length > 0) $palette.set({ ...open, typed: typed.join('').trimStart() });
}

const opensForm = ({ confirm, danger, params }: AnyCommand): boolean =>
  params !== null || confirm === true || danger === 'irreversible' || danger === 'money';

/** Modifiers, and keys without a meaning of their own. */
const isNoKey: ReadonlySet<string> = new Set([
  'Control',
  'Shift',
  'Alt',
  'Meta',
  'AltGraph',
  'Fn',
  'CapsLock',
  'NumLock',
  'ScrollLock',
  'Dead',
  'Unidentified',
]);

/** Browser keys such as reload, back and Tab. A single character means nothing to the browser. */
const isBrowsers = (event: KeyboardEvent): boolean =>
  (event.key.length > 1 || event.ctrlKey || event.metaKey || event.altKey) &&
  !$keymap.get().some(({ strokes }) => strokes.some((stroke) => isStroke(event, stroke, isMac())));

const isTypingOrPressing = ({ key }: KeyboardEvent): boolean => key.length === 1 || key === 'Enter';

type Focus = 'dialog' | 'text' | 'control' | 'page';

function placeOf(event: KeyboardEvent): Focus {
  if ($palette.get() || $question.get() || $confirm.get() || $keySheet.get() || $historyPage.get()) return 'dialog';
  const target = event.target instanceof Element ? event.target : document.body;
  const dialog = target.closest('[role="dialog"],[role="alertdialog"],[role="menu"],[role="listbox"]');
  if (dialog && !dialog.matches('[data-peek]') && !dialog.querySelector('[data-record]')) return 'dialog';
  if (target.matches('input:not([type="checkbox"]):not([type="radio"]),textarea,select,[contenteditable="true"]')) return 'text';
  if (target.closest('button,a,input,summary,[role="tab"],[role="menuitem"],[role="columnheader"]')) return 'control';
  return 'page';
}

function isLive(binding: Binding, focus: Focus): boolean {
  const command = registry.get(binding.id);
  const [first] = binding.strokes;
  if (!command || !first) return false;
  const verdict = assessCommand(command);
  if (verdict.state === 'hidden') return false;
  if (binding.place !== 'global' && binding.place !== 'list' && binding.place !== location.pathname) return false;
  if (verdict.state === 'blocked' && verdict.reason === 'palette.blocked.noList') return false;
  // Escape and arrows keep their page meaning when the command can't run.
  if (verdict.state === 'blocked' && binding.strokes.length === 1 && first.key.length > 1) return false;
  if (!$singleKeys.get() && isSingleKey(first)) return false;
  if (focus === 'text') return first.mod && !editingKeys.has(binding.keys);
  if (focus === 'control') return !nativeKeys.has(first.key);
  return true;
}
