import type { AnyCommand, Place } from '../define.ts';

/** A person's own keys by command id. An empty list removes the command's keys. */
export type KeyOverrides = Readonly<Record<string, readonly string[]>>;

/** One key press: what must be held, and the key by the name it has on a US layout. */
export interface Stroke {
  mod: boolean; // ⌘ on a Mac, Ctrl elsewhere
  ctrl: boolean;
  alt: boolean;
  shift: boolean;
  key: string;
}

const namedKeys = new Set([
  'escape',
  'enter',
  'space',
  'tab',
  'up',
  'down',
  'left',
  'right',
  'home',
  'end',
  'delete',
  'backspace',
  'pageup',
  'pagedown',
]);

/** Parses 'mod+k', 'shift+j', '#', 'g n' (one stroke after another). Throws on what it cannot read. */
export function parseKeys(keys: string): Stroke[] {
  return keys.split(' ').map((stroke) => {
    const parts = stroke === '+' ? ['+'] : stroke.split('+');
    const key = parts.at(-1) ?? '';
    const held = parts.slice(0, -1);
    if ((key.length !== 1 && !namedKeys.has(key)) || held.some((part) => !['mod', 'ctrl', 'alt', 'shift'].includes(part))) {
      throw new Error(`can’t parse the keys "${keys}". A stroke is [mod+][ctrl+][alt+][shift+]key`);
    }
    return {
      mod: held.includes('mod'),
      ctrl: held.includes('ctrl'),
      alt: held.includes('alt'),
      shift: held.includes('shift'),
      key: key.toLowerCase(),
    };
  });
}

export const isSingleKey = (stroke: Stroke): boolean => !stroke.mod && !stroke.ctrl && !stroke.alt && stroke.key.length === 1;

/** What a keyboard event tells; the browser's own event fits. */
export interface KeyEvent {
  key: string;
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
  isComposing?: boolean;
  keyCode?: number;
  getModifierState?(key: string): boolean;
}

/** True while an input method is at work: such a key belongs to it, not to us. */
export const isImeEvent = (event: KeyEvent): boolean =>
  event.isComposing === true || event.keyCode === 229 || event.key === 'Process';

const named: Record<string, string> = {
  Escape: 'escape',
  Enter: 'enter',
  ' ': 'space',
  Tab: 'tab',
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  Home: 'home',
  End: 'end',
  Delete: 'delete',
  Backspace: 'backspace',
  PageUp: 'pageup',
  PageDown: 'pagedown',
};

const usSymbols: Record<string, readonly [string, string]> = {
  Minus: ['-', '_'],
  Equal: ['=', '+'],
  BracketLeft: ['[', '{'],
  BracketRight: [']', '}'],
  Backslash: ['\\', '|'],
  Semicolon: [';', ':'],
  Quote: ["'", '"'],
  Comma: [',', '<'],
  Period: ['.', '>'],
  Slash: ['/', '?'],
  Backquote: ['`', '~'],
};
const usDigits = ')!@#$%^&*(';

/**
 * The key by its US name. A Latin letter or ASCII sign the layout makes is taken as it is (Dvorak and AZERTY
 * keep their mnemonics); anything else (Cyrillic, a Chinese full-width sign) falls back to the key's place.
 */
export function keyName(event: KeyEvent): string | null {
  const known = named[event.key];
  if (known) return known;
  if (/^[\x21-\x7e]$/.test(event.key)) return event.key.toLowerCase();
  const letter = /^Key([A-Z])$/.exec(event.code)?.[1];
  if (letter) return letter.toLowerCase();
  const digit = /^Digit(\d)$/.exec(event.code)?.[1];
  if (digit) return event.shiftKey ? usDigits.charAt(Number(digit)) : digit;
  return usSymbols[event.code]?.[event.shiftKey ? 1 : 0] ?? null;
}

/** Whether the event is this stroke. Shift counts for letters and named keys only: '?' needs it on one layout, not on another. */
export function isStroke(event: KeyEvent, stroke: Stroke, isMac: boolean): boolean {
  if (keyName(event) !== stroke.key) return false;
  const isAltGr = event.getModifierState?.('AltGraph') === true;
  const mod = isMac ? event.metaKey : event.ctrlKey && !isAltGr;
  const ctrl = isMac ? event.ctrlKey : false;
  const other = isMac ? false : event.metaKey;
  const alt = event.altKey && !isAltGr;
  if (mod !== (stroke.mod || (!isMac && stroke.ctrl)) || other) return false;
  if (isMac && ctrl !== stroke.ctrl) return false;
  const isSign = stroke.key.length === 1 && !/[a-z]/.test(stroke.key);
  if (alt !== stroke.alt && !(isSign && isMac && !stroke.mod)) return false;
  return isSign || event.shiftKey === stroke.shift;
}

export interface Binding {
  id: string;
  place: Place;
  keys: string;
  strokes: readonly Stroke[];
  /** The first of the command's keys: the one shown. */
  isMain: boolean;
}

/** Every binding, a person's own keys before the defaults. Keys that cannot be read are left out. */
export function resolveKeymap(commands: readonly AnyCommand[], overrides: KeyOverrides = {}): Binding[] {
  return commands.flatMap((command) =>
    (overrides[command.id] ?? command.keys ?? []).flatMap((keys, index) => {
      try {
        return [{ id: command.id, place: command.place, keys, strokes: parseKeys(keys), isMain: index === 0 }];
      } catch {
        return [];
      }
    }),
  );
}

const sequenceTimeout = 1000;

/** What the page tells of the moment a key goes down. */
export interface Moment {
  isLive: (binding: Binding) => boolean;
  isMac: boolean;
  now: number;
}

/** Follows key presses through sequences. One per page; it knows nothing of commands. */
export function createKeyMatcher() {
  let begun: { bindings: readonly Binding[]; depth: number; at: number } | null = null;
  return {
    /** The binding this press completes, those it leaves waiting for a next key, or neither. */
    press(event: KeyEvent, keymap: readonly Binding[], moment: Moment): { hit: Binding | null; waiting: readonly Binding[] } {
      const isGoing = begun !== null && moment.now - begun.at <= sequenceTimeout;
      const depth = isGoing && begun ? begun.depth : 0;
      const candidates = (isGoing && begun ? begun.bindings : keymap).filter((binding) => {
        const stroke = binding.strokes[depth];
        return stroke !== undefined && isStroke(event, stroke, moment.isMac) && moment.isLive(binding); // judged only when it is meant
      });
      const hit = candidates.find(({ strokes }) => strokes.length === depth + 1) ?? null;
      const waiting = hit ? [] : candidates;
      const wasGoing = isGoing;
      begun = waiting.length > 0 ? { bindings: waiting, depth: depth + 1, at: moment.now } : null;
      // A key that fits nothing as a second one is tried as a first: 'g' then 'j' still moves.
      if (!hit && waiting.length === 0 && wasGoing) return this.press(event, keymap, moment);
      return { hit, waiting };
    },
    /** Whether a sequence is under way: its next key is ours even where single keys are not. */
    isWaiting: (now: number): boolean => begun !== null && now - begun.at <= sequenceTimeout,
    reset(): void {
      begun = null;
    },
  };
}
