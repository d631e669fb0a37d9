import { atom } from 'nanostores';
import { isMac } from '../../../lib/ui/value/key-text.ts';
import { registry } from '../../app/registry.ts';
import { assessCommand } from '../../app/context.ts';
import { dispatch } from '../../app/dispatcher.ts';
import type { AnyCommand } from '../../engine/define.ts';
import { createKeyMatcher, isImeEvent, isSingleKey, matchesStroke, nativeKeys, type Binding } from '../../engine/keys/keys.ts';
import { $keymap, $singleKeys } from '../../app/keymap.ts';
import { $historyPage } from '../../macros/history-page.ts';
import { $confirm, $keySheet, $palette, $question } from '../../app/open-dialogs.ts';
import { awaitRows } from './await-rows.ts';

export const $pendingKeys = atom<readonly Binding[]>([]);

const pendingTimeoutMs = 1000;
const editingKeys = new Set(['mod+a', 'mod+c', 'mod+v', 'mod+x', 'mod+z', 'mod+y', 'mod+b']);

// Escape that cancels an input method's composition must not reach dialogs, batches or fields. The
// capture listener comes before all others.
addEventListener('keydown', (event) => event.key === 'Escape' && isImeEvent(event) && event.stopImmediatePropagation(), true);

/** Returns a function that stops listening. */
export function listenToKeys(): () => void {
  const matcher = createKeyMatcher();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const showPending = (pendingBindings: readonly Binding[]) => {
    clearTimeout(timer);
    if (pendingBindings.length > 0 || $pendingKeys.get().length > 0) $pendingKeys.set(pendingBindings);
    if (pendingBindings.length > 0) timer = setTimeout(() => $pendingKeys.set([]), pendingTimeoutMs);
  };

  const onKey = (event: KeyboardEvent) => {
    if (isImeEvent(event) || event.defaultPrevented || reservedKeys.has(event.key)) return;
    const focusKind = focusKindOf(event);
    if (focusKind === 'dialog') {
      matcher.reset();
      return showPending([]);
    }
    if (focusKind === 'page' && event.key !== 'Escape') {
      if (isNativeShortcut(event)) rows.drop();
      else if (rows.holds(event)) return event.preventDefault();
    }
    const keymap = $keymap.get();
    const { hit, waiting } = matcher.press(event, keymap, {
      isLive: (binding) => isBindingActive(binding, focusKind),
      isMac: isMac(),
      now: event.timeStamp,
    });
    showPending(waiting);
    if (waiting.length > 0) return event.preventDefault();
    if (!hit) return;
    const command = registry.get(hit.id);
    if (!command || (event.repeat && !command.repeats)) return;
    event.preventDefault();
    if (rows.holds(event, command)) return;
    const outcome = dispatch({ id: command.id }, 'key');
    if (opensForm(command)) holdEnter(outcome);
  };

  const rows = awaitRows(replay);

  // Enter waits until the requested question is shown, so that it never acts on the row behind.
  let holdCount = 0;
  const holdEnter = (outcome: Promise<unknown>) => {
    holdCount++;
    const unsubscribers = [$question, $confirm, $palette].map((store) => store.listen((value) => value && release()));
    const release = () => {
      for (const unsubscribe of unsubscribers.splice(0)) unsubscribe();
      holdCount = 0;
    };
    void outcome.finally(release);
  };
  const refuseEnter = (event: KeyboardEvent) => {
    if (holdCount === 0 || event.key !== 'Enter' || focusKindOf(event) === 'dialog') return;
    event.preventDefault();
    event.stopPropagation();
  };

  // A key held while focus moves must not type or press at the new place.
  let heldKey: { code: string; target: EventTarget | null } | null = null;
  const refuseCarriedOver = (event: KeyboardEvent) => {
    if (!event.repeat) heldKey = { code: event.code, target: event.target };
    else if (
      heldKey?.code === event.code &&
      heldKey.target !== event.target &&
      isTextKey(event) &&
      focusKindOf(event) !== 'page'
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
function replay(earlyEvents: readonly KeyboardEvent[]): void {
  if ($palette.get()) return typeAhead(earlyEvents);
  for (const [index, { key, code, ctrlKey, metaKey, altKey, shiftKey }] of earlyEvents.entries()) {
    const isHandled = !document.body.dispatchEvent(
      new KeyboardEvent('keydown', { key, code, ctrlKey, metaKey, altKey, shiftKey, bubbles: true, cancelable: true }),
    );
    if (!isHandled || !(ctrlKey || metaKey)) continue;
    const unsubscribe = $palette.listen(() => {
      unsubscribe();
      typeAhead(earlyEvents.slice(index + 1));
    });
    return void setTimeout(unsubscribe);
  }
}

/** Stops at the first key that is not text, because its target was not visible. */
function typeAhead(keys: readonly KeyboardEvent[]): void {
  const openPalette = $palette.get();
  const endIndex = keys.findIndex(({ key, ctrlKey, metaKey }) => key.length > 1 || ctrlKey || metaKey);
  const typedCharacters = keys.slice(0, endIndex < 0 ? keys.length : endIndex).map(({ key }) => key);
  if (openPalette && typedCharacters.length > 0) $palette.set({ ...openPalette, typed: typedCharacters.join('').trimStart() });
}

const opensForm = ({ confirm, danger, params }: AnyCommand): boolean =>
  params !== null || confirm === true || danger === 'irreversible' || danger === 'money';

/** Modifiers, and keys without a meaning of their own. */
const reservedKeys: ReadonlySet<string> = new Set([
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
const isNativeShortcut = (event: KeyboardEvent): boolean =>
  (event.key.length > 1 || event.ctrlKey || event.metaKey || event.altKey) &&
  !$keymap.get().some(({ strokes }) => strokes.some((stroke) => matchesStroke(event, stroke, isMac())));

const isTextKey = ({ key }: KeyboardEvent): boolean => key.length === 1 || key === 'Enter';

type FocusKind = 'dialog' | 'text' | 'control' | 'page';

function focusKindOf(event: KeyboardEvent): FocusKind {
  if ($palette.get() || $question.get() || $confirm.get() || $keySheet.get() || $historyPage.get()) return 'dialog';
  const target = event.target instanceof Element ? event.target : document.body;
  const dialog = target.closest('[role="dialog"],[role="alertdialog"],[role="menu"],[role="listbox"]');
  if (dialog && !dialog.matches('[data-peek]') && !dialog.querySelector('[data-record]')) return 'dialog';
  if (target.matches('input:not([type="checkbox"]):not([type="radio"]),textarea,select,[contenteditable="true"]')) return 'text';
  if (target.closest('button,a,input,summary,[role="tab"],[role="menuitem"],[role="columnheader"]')) return 'control';
  return 'page';
}

function isBindingActive(binding: Binding, focus: FocusKind): boolean {
  const command = registry.get(binding.id);
  const [firstStroke] = binding.strokes;
  if (!command || !firstStroke) return false;
  const assessment = assessCommand(command);
  if (assessment.state === 'hidden') return false;
  if (binding.place !== 'global' && binding.place !== 'list' && binding.place !== location.pathname) return false;
  if (assessment.state === 'blocked' && assessment.reason === 'palette.blocked.noList') return false;
  // Escape and arrows keep their page meaning when the command can't run.
  if (assessment.state === 'blocked' && binding.strokes.length === 1 && firstStroke.key.length > 1) return false;
  if (!$singleKeys.get() && isSingleKey(firstStroke)) return false;
  if (focus === 'text') return firstStroke.mod && !editingKeys.has(binding.keys);
  if (focus === 'control') return !nativeKeys.has(firstStroke.key);
  return true;
}
