import { expect, test } from 'vitest';
import { registry } from '../../app/all.ts';
import { resolveKeymap, type KeyEvent } from './keys.ts';
import {
  conflictingBindings,
  isReadable,
  isReserved,
  readKeyFile,
  setKeys,
  strokeOf,
  withoutBindings,
  writeKeyFile,
} from './rebinding.ts';

const press = (key: string, code: string, modifiers: Partial<KeyEvent> = {}): KeyEvent => ({
  key,
  code,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...modifiers,
});
const commandOf = (id: string) => {
  const command = registry.get(id);
  if (!command) throw new Error(`no ${id}`);
  return command;
};

test.each([
  ['j', press('j', 'KeyJ'), false],
  ['shift+j', press('J', 'KeyJ', { shiftKey: true }), false],
  ['mod+k', press('k', 'KeyK', { ctrlKey: true }), false],
  ['mod+k', press('k', 'KeyK', { metaKey: true }), true],
  ['ctrl+k', press('k', 'KeyK', { ctrlKey: true }), true],
  ['alt+q', press('œ', 'KeyQ', { altKey: true }), true], // Option makes another letter
  ['?', press('?', 'Slash', { shiftKey: true }), false],
  ['?', press('？', 'Slash', { shiftKey: true }), false], // Chinese full width
  ['j', press('о', 'KeyJ'), false], // Russian
  ['a', press('a', 'KeyQ'), false], // AZERTY
  ['#', press('#', 'Digit3', { ctrlKey: true, altKey: true, getModifierState: (key) => key === 'AltGraph' }), false],
  ['shift+down', press('ArrowDown', 'ArrowDown', { shiftKey: true }), false],
])('a key press is named %s', (keys, event, isMac) => {
  expect(strokeOf(event, isMac)).toBe(keys);
});

test('Tab, modifiers alone, the Windows key and ambiguous keys can’t be shortcuts', () => {
  expect(strokeOf(press('Tab', 'Tab'), false)).toBeNull();
  expect(strokeOf(press('Shift', 'ShiftLeft', { shiftKey: true }), false)).toBeNull();
  expect(strokeOf(press('k', 'KeyK', { metaKey: true }), false)).toBeNull();
  expect(strokeOf(press('+', 'Equal', { ctrlKey: true, shiftKey: true }), false)).toBeNull();
  expect(isReadable('')).toBe(false);
  expect(isReadable('g n x')).toBe(false);
  expect(isReserved('g mod+w')).toBe(true);
});

test('keys clash only where both commands are live: on the same screen, everywhere, or in lists', () => {
  const keymap = resolveKeymap(registry.all);
  const conflictingIds = (id: string, keys: string) =>
    conflictingBindings(commandOf(id), keys, keymap).map((binding) => binding.id);
  expect(conflictingIds('news.get', 'c')).toEqual(['news.add']);
  expect(conflictingIds('list.refresh', 'c')).toContain('notices.add');
  expect(conflictingIds('news.get', 'g')).toContain('go.home'); // it begins other sequences
  expect(conflictingIds('news.get', 'mod+e')).toEqual([]);
});

test('keys reset to defaults are no longer custom, and a command keeps its other keys when one is reassigned', () => {
  const news = commandOf('news.add');
  const customKeys = setKeys({}, news, ['q']);
  expect(customKeys).toEqual({ 'news.add': ['q'] });
  expect(setKeys(customKeys, news, [...(news.keys ?? [])])).toEqual({});
  const deletionBindings = resolveKeymap(registry.all).filter(({ id, keys }) => id === 'news.delete' && keys === '#');
  expect(withoutBindings({}, deletionBindings, registry.all)).toEqual({ 'news.delete': ['delete'] });
});

test('a key file is imported as it was exported', () => {
  const file = { keys: { 'news.add': ['q', 'g 9'], 'list.copy': [] }, singleKeys: false };
  expect(readKeyFile(writeKeyFile(file), registry.all)).toEqual(file);
});

test('a key file of an earlier version loads without the keys of removed commands', () => {
  const keys = { 'keys.preset': ['mod+alt+p'], 'news.add': ['alt+n'] };
  const file = JSON.stringify({ format: 'admin-panel-keys', version: 1, keys });
  expect(readKeyFile(file, registry.all)).toEqual({ keys: { 'news.add': ['alt+n'] } });
});

test('a key file with errors lists all of them and changes nothing', () => {
  const readKeys = (keys: unknown) => readKeyFile(JSON.stringify({ format: 'admin-panel-keys', version: 1, keys }), registry.all);
  const invalidFileResult = { problems: [{ kind: 'notKeys' }] };
  expect(readKeyFile('{', registry.all)).toEqual(invalidFileResult);
  expect(readKeyFile('[]', registry.all)).toEqual(invalidFileResult);
  expect(readKeys({ 'news.add': 'c' })).toEqual(invalidFileResult);
  expect(readKeys({ 'no.such': ['c'], 'news.add': ['hyper+x', 'mod+w'], 'news.edit': ['h'] })).toEqual({
    problems: [
      { kind: 'unknown', id: 'no.such' },
      { kind: 'unreadable', id: 'news.add', keys: 'hyper+x' },
      { kind: 'reserved', id: 'news.add', keys: 'mod+w' },
      expect.objectContaining({ kind: 'clash', keys: 'h' }),
    ],
  });
});
