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
    const modifiers = parts.slice(0, -1);
    if ((key.length !== 1 && !namedKeys.has(key)) || modifiers.some((part) => !['mod', 'ctrl', 'alt', 'shift'].includes(part))) {
      throw new Error(`can’t parse the keys "${keys}". A stroke is [mod+][ctrl+][alt+][shift+]key`);
    }
    return {
      mod: modifiers.includes('mod'),
      ctrl: modifiers.includes('ctrl'),
      alt: modifiers.includes('alt'),
      shift: modifiers.includes('shift'),
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

const keyAliases: Record<string, string> = {
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
  const alias = keyAliases[event.key];
  if (alias) return alias;
  if (/^[\x21-\x7e]$/.test(event.key)) return event.key.toLowerCase();
  const letter = /^Key([A-Z])$/.exec(event.code)?.[1];
  if (letter) return letter.toLowerCase();
  const digit = /^Digit(\d)$/.exec(event.code)?.[1];
  if (digit) return event.shiftKey ? usDigits.charAt(Number(digit)) : digit;
  return usSymbols[event.code]?.[event.shiftKey ? 1 : 0] ?? null;
}

/** Shift counts only for letters and named keys, because layouts differ in '?'. */
export function matchesStroke(event: KeyEvent, stroke: KeyStroke, isMac: boolean): boolean {
  if (keyName(event) !== stroke.key) return false;
  const isAltGr = event.getModifierState?.('AltGraph') === true;
  const hasMod = isMac ? event.metaKey : event.ctrlKey && !isAltGr;
  const hasCtrl = isMac ? event.ctrlKey : false;
  const otherModifier = isMac ? false : event.metaKey;
  const hasAlt = event.altKey && !isAltGr;
  if (hasMod !== (stroke.mod || (!isMac && stroke.ctrl)) || otherModifier) return false;
  if (isMac && hasCtrl !== stroke.ctrl) return false;
  const isSymbolKey = stroke.key.length === 1 && !/[a-z]/.test(stroke.key);
  if (hasAlt !== stroke.alt && !(isSymbolKey && isMac && !stroke.mod)) return false;
  return isSymbolKey || event.shiftKey === stroke.shift;
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

const sequenceTimeoutMs = 1000;

export interface MatchContext {
  isLive: (binding: Binding) => boolean;
  isMac: boolean;
  now: number;
}

export function createKeyMatcher() {
  let pendingSequence: { bindings: readonly Binding[]; depth: number; at: number } | null = null;
  return {
    press(
      event: KeyEvent,
      keymap: readonly Binding[],
      matchContext: MatchContext,
    ): { hit: Binding | null; waiting: readonly Binding[] } {
      const isSequenceActive = pendingSequence !== null && matchContext.now - pendingSequence.at <= sequenceTimeoutMs;
      const depth = isSequenceActive && pendingSequence ? pendingSequence.depth : 0;
      const candidates = (isSequenceActive && pendingSequence ? pendingSequence.bindings : keymap).filter((binding) => {
        const stroke = binding.strokes[depth];
        return stroke !== undefined && matchesStroke(event, stroke, matchContext.isMac) && matchContext.isLive(binding);
      });
      const match = candidates.find(({ strokes }) => strokes.length === depth + 1) ?? null;
      const pendingBindings = match ? [] : candidates;
      const wasSequenceActive = isSequenceActive;
      pendingSequence = pendingBindings.length > 0 ? { bindings: pendingBindings, depth: depth + 1, at: matchContext.now } : null;
      // A key that continues no sequence is tried as a first key: 'g' then 'j' still moves.
      if (!match && pendingBindings.length === 0 && wasSequenceActive) return this.press(event, keymap, matchContext);
      return { hit: match, waiting: pendingBindings };
    },
    isWaiting: (now: number): boolean => pendingSequence !== null && now - pendingSequence.at <= sequenceTimeoutMs,
    reset(): void {
      pendingSequence = null;
    },
  };
}
