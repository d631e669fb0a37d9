import type { AnyCommand, CommandScope } from '../define.ts';

export type KeyOverrides = Readonly<Record<string, readonly string[]>>;

/** Named as on a US layout. */
export interface KeyStroke {
  mod: boolean; // ⌘ on a Mac, Ctrl elsewhere
  ctrl: boolean;
  alt: boolean;
  shift: boolean;
  key: string;
}

/** Keys that the focused control handles. */
export const nativeKeys: ReadonlySet<string> = new Set([
  'enter',
  'space',
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
const namedKeys = new Set([...nativeKeys, 'escape', 'tab']);

/** 'mod+k', 'shift+j', '#', 'g n'. Throws on invalid keys. */
export function parseKeys(keys: string): KeyStroke[] {
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

export const isSingleKey = (stroke: KeyStroke): boolean => !stroke.mod && !stroke.ctrl && !stroke.alt && stroke.key.length === 1;

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

/** Keys belong to an active input method. */
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
 * ASCII as the layout makes it, so that Dvorak and AZERTY keep mnemonics. Other characters fall
 * back to the key's position.
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

/** Shift counts only for letters and named keys, because layouts differ in '?'. */
export function isStroke(event: KeyEvent, stroke: KeyStroke, isMac: boolean): boolean {
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
  place: CommandScope;
  keys: string;
  strokes: readonly KeyStroke[];
  /** The main key is the one shown. */
  isMain: boolean;
}

/** Own keys come before defaults. Invalid keys are left out. */
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

export interface MatchContext {
  isLive: (binding: Binding) => boolean;
  isMac: boolean;
  now: number;
}

export function createKeyMatcher() {
  let begun: { bindings: readonly Binding[]; depth: number; at: number } | null = null;
  return {
    press(
      event: KeyEvent,
      keymap: readonly Binding[],
      moment: MatchContext,
    ): { hit: Binding | null; waiting: readonly Binding[] } {
      const isGoing = begun !== null && moment.now - begun.at <= sequenceTimeout;
      const depth = isGoing && begun ? begun.depth : 0;
      const candidates = (isGoing && begun ? begun.bindings : keymap).filter((binding) => {
        const stroke = binding.strokes[depth];
        return stroke !== undefined && isStroke(event, stroke, moment.isMac) && moment.isLive(binding);
      });
      const hit = candidates.find(({ strokes }) => strokes.length === depth + 1) ?? null;
      const waiting = hit ? [] : candidates;
      const wasGoing = isGoing;
      begun = waiting.length > 0 ? { bindings: waiting, depth: depth + 1, at: moment.now } : null;
      // A key that continues no sequence is tried as a first key: 'g' then 'j' still moves.
      if (!hit && waiting.length === 0 && wasGoing) return this.press(event, keymap, moment);
      return { hit, waiting };
    },
    isWaiting: (now: number): boolean => begun !== null && now - begun.at <= sequenceTimeout,
    reset(): void {
      begun = null;
    },
  };
}
