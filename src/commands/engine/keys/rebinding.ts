import {
  isStroke,
  keyName,
  parseKeys,
  resolveKeymap,
  type Binding,
  type KeyEvent,
  type KeyOverrides,
  type KeyStroke,
} from './keys.ts';
import type { AnyCommand, CommandScope } from '../define.ts';

export interface KeyConflict {
  one: Binding;
  other: Binding;
}

/** Equal keys, or one a prefix of the other, where both are live. */
export function findConflicts(keymap: readonly Binding[]): KeyConflict[] {
  return keymap.flatMap((one, at) =>
    keymap
      .slice(at + 1)
      .filter((other) => overlaps(one.place, other.place) && isPrefix(one.strokes, other.strokes))
      .map((other) => ({ one, other })),
  );
}

const overlaps = (one: CommandScope, other: CommandScope): boolean =>
  one === other || one === 'global' || other === 'global' || one === 'list' || other === 'list';
const strokeText = (stroke: KeyStroke): string => JSON.stringify(stroke);
const isPrefix = (one: readonly KeyStroke[], other: readonly KeyStroke[]): boolean => {
  const length = Math.min(one.length, other.length);
  return Array.from({ length }, (_, at) => at).every((at) => {
    const [a, b] = [one[at], other[at]];
    return a !== undefined && b !== undefined && strokeText(a) === strokeText(b);
  });
};

/** Reserved by the browser or the system. */
export const reservedKeys = ['mod+w', 'mod+t', 'mod+n', 'mod+q', 'mod+l', 'mod+r', 'mod+shift+w', 'mod+shift+t', 'mod+shift+n'];

export type RebindableCommand = Pick<AnyCommand, 'id' | 'place' | 'keys'>;

/** Null: not usable as a shortcut, such as Tab, a modifier alone, the Windows key. */
export function strokeOf(event: KeyEvent, isMac: boolean): string | null {
  const key = keyName(event);
  if (key === null || key === 'tab') return null;
  const isSign = key.length === 1 && !/[a-z]/.test(key);
  const isAltGr = event.getModifierState?.('AltGraph') === true;
  const mod = isMac ? event.metaKey : event.ctrlKey && !isAltGr;
  const text = [
    mod && 'mod',
    isMac && event.ctrlKey && 'ctrl',
    event.altKey && !isAltGr && !(isSign && isMac && !mod) && 'alt',
    event.shiftKey && !isSign && 'shift',
    key,
  ]
    .filter(Boolean)
    .join('+');
  const [stroke] = isReadable(text) ? parseKeys(text) : [];
  return stroke && isStroke(event, stroke, isMac) ? text : null;
}

export function isReadable(keys: string): boolean {
  try {
    return keys !== '' && parseKeys(keys).length <= 2;
  } catch {
    return false;
  }
}

export const isReserved = (keys: string): boolean => keys.split(' ').some((stroke) => reservedKeys.includes(stroke));

export function clashesWith({ place }: RebindableCommand, keys: string, keymap: readonly Binding[]): Binding[] {
  const strokes = parseKeys(keys);
  return keymap.filter((other) => overlaps(place, other.place) && isPrefix(strokes, other.strokes));
}

const sameKeys = (one: readonly string[], other: readonly string[]): boolean => one.join('\n') === other.join('\n');

/** Keys equal to the defaults are removed from the person's own. */
export function setKeys(overrides: KeyOverrides, command: RebindableCommand, keys: readonly string[]): KeyOverrides {
  const { [command.id]: _, ...rest } = overrides;
  return sameKeys(keys, command.keys ?? []) ? rest : { ...rest, [command.id]: keys };
}

export function withoutBindings(
  overrides: KeyOverrides,
  bindings: readonly Binding[],
  commands: readonly RebindableCommand[],
): KeyOverrides {
  return bindings.reduce((left, { id, keys }) => {
    const command = commands.find((known) => known.id === id);
    if (!command) return left;
    return setKeys(
      left,
      command,
      (left[id] ?? command.keys ?? []).filter((one) => one !== keys),
    );
  }, overrides);
}

export type KeyFileProblem =
  | { kind: 'notKeys' }
  | { kind: 'unknown'; id: string }
  | { kind: 'unreadable' | 'reserved'; id: string; keys: string }
  | { kind: 'clash'; id: string; keys: string; other: string };

export interface KeyFile {
  keys: KeyOverrides;
  singleKeys?: boolean;
}

const format = 'admin-panel-keys';

export const writeKeyFile = ({ keys, singleKeys }: KeyFile): string =>
  `${JSON.stringify({ format, version: 1, singleKeys, keys }, null, 2)}\n`;

/** Files of earlier versions may still name these. */
const removedCommands = new Set(['chart.savePicture', 'keys.preset', 'keys.tips']);

/** All or nothing. */
export function readKeyFile(text: string, commands: readonly AnyCommand[]): KeyFile | { problems: KeyFileProblem[] } {
  const file = parseFile(text);
  if (!file) return { problems: [{ kind: 'notKeys' }] };
  const byId = new Map<string, AnyCommand>(commands.map((command) => [command.id, command]));
  const wrong = Object.entries(file.keys).flatMap(([id, keys]): KeyFileProblem[] =>
    byId.has(id)
      ? keys.flatMap((one): KeyFileProblem[] => {
          if (!isReadable(one)) return [{ kind: 'unreadable', id, keys: one }];
          return isReserved(one) ? [{ kind: 'reserved', id, keys: one }] : [];
        })
      : removedCommands.has(id)
        ? []
        : [{ kind: 'unknown', id }],
  );
  const clashes = findConflicts(resolveKeymap(commands, file.keys))
    .filter(({ one, other }) => one.id in file.keys || other.id in file.keys)
    .map(({ one, other }): KeyFileProblem => ({ kind: 'clash', id: one.id, keys: one.keys, other: other.id }));
  if (wrong.length + clashes.length > 0) return { problems: [...wrong, ...clashes] };
  const overrides = Object.entries(file.keys).reduce<KeyOverrides>((sum, [id, keys]) => {
    const command = byId.get(id);
    return command ? setKeys(sum, command, keys) : sum;
  }, {});
  return { ...file, keys: overrides };
}

function parseFile(text: string): KeyFile | null {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(file) || file['format'] !== format || file['version'] !== 1 || !isObject(file['keys'])) return null;
  const { singleKeys, keys } = file;
  const isWell = Object.values(keys).every((list) => Array.isArray(list) && list.every((one) => typeof one === 'string'));
  if (!isWell || (singleKeys !== undefined && typeof singleKeys !== 'boolean')) return null;
  const once = Object.fromEntries(Object.entries(keys as Record<string, string[]>).map(([id, list]) => [id, [...new Set(list)]]));
  return { keys: once, ...(singleKeys === undefined ? {} : { singleKeys }) };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
