import {
  matchesStroke,
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
  return keymap.flatMap((a, index) =>
    keymap
      .slice(index + 1)
      .filter((b) => overlaps(a.place, b.place) && isPrefix(a.strokes, b.strokes))
      .map((b) => ({ one: a, other: b })),
  );
}

const overlaps = (a: CommandScope, b: CommandScope): boolean =>
  a === b || a === 'global' || b === 'global' || a === 'list' || b === 'list';
const strokeText = (stroke: KeyStroke): string => JSON.stringify(stroke);
const isPrefix = (firstStrokes: readonly KeyStroke[], secondStrokes: readonly KeyStroke[]): boolean => {
  const length = Math.min(firstStrokes.length, secondStrokes.length);
  return Array.from({ length }, (_, index) => index).every((index) => {
    const [a, b] = [firstStrokes[index], secondStrokes[index]];
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
  const isSymbolKey = key.length === 1 && !/[a-z]/.test(key);
  const isAltGr = event.getModifierState?.('AltGraph') === true;
  const hasMod = isMac ? event.metaKey : event.ctrlKey && !isAltGr;
  const text = [
    hasMod && 'mod',
    isMac && event.ctrlKey && 'ctrl',
    event.altKey && !isAltGr && !(isSymbolKey && isMac && !hasMod) && 'alt',
    event.shiftKey && !isSymbolKey && 'shift',
    key,
  ]
    .filter(Boolean)
    .join('+');
  const [stroke] = isReadable(text) ? parseKeys(text) : [];
  return stroke && matchesStroke(event, stroke, isMac) ? text : null;
}

export function isReadable(keys: string): boolean {
  try {
    return keys !== '' && parseKeys(keys).length <= 2;
  } catch {
    return false;
  }
}

export const isReserved = (keys: string): boolean => keys.split(' ').some((stroke) => reservedKeys.includes(stroke));

export function conflictingBindings({ place }: RebindableCommand, keys: string, keymap: readonly Binding[]): Binding[] {
  const strokes = parseKeys(keys);
  return keymap.filter((b) => overlaps(place, b.place) && isPrefix(strokes, b.strokes));
}

const sameKeys = (a: readonly string[], b: readonly string[]): boolean => a.join('\n') === b.join('\n');

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
  return bindings.reduce((remainingOverrides, { id, keys }) => {
    const command = commands.find((candidate) => candidate.id === id);
    if (!command) return remainingOverrides;
    return setKeys(
      remainingOverrides,
      command,
      (remainingOverrides[id] ?? command.keys ?? []).filter((a) => a !== keys),
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

const fileFormat = 'admin-panel-keys';

export const writeKeyFile = ({ keys, singleKeys }: KeyFile): string =>
  `${JSON.stringify({ format: fileFormat, version: 1, singleKeys, keys }, null, 2)}\n`;

/** Files of earlier versions may still name these. */
const removedCommands = new Set(['chart.savePicture', 'keys.preset', 'keys.tips']);

/** All or nothing. */
export function readKeyFile(text: string, commands: readonly AnyCommand[]): KeyFile | { problems: KeyFileProblem[] } {
  const file = parseFile(text);
  if (!file) return { problems: [{ kind: 'notKeys' }] };
  const byId = new Map<string, AnyCommand>(commands.map((command) => [command.id, command]));
  const invalidKeyProblems = Object.entries(file.keys).flatMap(([id, keys]): KeyFileProblem[] =>
    byId.has(id)
      ? keys.flatMap((a): KeyFileProblem[] => {
          if (!isReadable(a)) return [{ kind: 'unreadable', id, keys: a }];
          return isReserved(a) ? [{ kind: 'reserved', id, keys: a }] : [];
        })
      : removedCommands.has(id)
        ? []
        : [{ kind: 'unknown', id }],
  );
  const keyClashes = findConflicts(resolveKeymap(commands, file.keys))
    .filter(({ one, other }) => one.id in file.keys || other.id in file.keys)
    .map(({ one, other }): KeyFileProblem => ({ kind: 'clash', id: one.id, keys: one.keys, other: other.id }));
  if (invalidKeyProblems.length + keyClashes.length > 0) return { problems: [...invalidKeyProblems, ...keyClashes] };
  const overrides = Object.entries(file.keys).reduce<KeyOverrides>((merged, [id, keys]) => {
    const command = byId.get(id);
    return command ? setKeys(merged, command, keys) : merged;
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
  if (!isObject(file) || file['format'] !== fileFormat || file['version'] !== 1 || !isObject(file['keys'])) return null;
  const { singleKeys, keys } = file;
  const isValid = Object.values(keys).every((list) => Array.isArray(list) && list.every((a) => typeof a === 'string'));
  if (!isValid || (singleKeys !== undefined && typeof singleKeys !== 'boolean')) return null;
  const uniqueKeys = Object.fromEntries(
    Object.entries(keys as Record<string, string[]>).map(([id, list]) => [id, [...new Set(list)]]),
  );
  return { keys: uniqueKeys, ...(singleKeys === undefined ? {} : { singleKeys }) };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
