import { expect, test } from 'vitest';
import { registry } from '../../app/all.ts';
import { createKeyMatcher, isImeEvent, matchesStroke, parseKeys, resolveKeymap, type Binding, type KeyEvent } from './keys.ts';
import { findConflicts, reservedKeys } from './rebinding.ts';

const keymap = resolveKeymap(registry.all);
const event = (key: string, code: string, modifiers: Partial<KeyEvent> = {}): KeyEvent => ({
  key,
  code,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...modifiers,
});
const stroke = (keys: string) => {
  const [firstStroke] = parseKeys(keys);
  if (!firstStroke) throw new Error('no stroke');
  return firstStroke;
};

test('no two commands that can be live together share keys, and none uses the browser’s', () => {
  expect(findConflicts(keymap).map(({ one, other }) => `${one.id} ${other.id}: ${one.keys} ${other.keys}`)).toEqual([]);
  expect(keymap.filter(({ keys }) => reservedKeys.includes(keys))).toEqual([]);
});

test('a conflict is reported for equal keys and for a prefix', () => {
  const extraBindings: Binding[] = [
    { id: 'a', place: 'global', keys: 'g', strokes: parseKeys('g'), isMain: true },
    { id: 'b', place: '/news', keys: 'c', strokes: parseKeys('c'), isMain: true },
  ];
  const conflicts = findConflicts([...keymap, ...extraBindings]);
  expect(conflicts.some(({ other }) => other.id === 'a')).toBe(true);
  expect(conflicts.some(({ one, other }) => one.id === 'news.add' && other.id === 'b')).toBe(true);
  const otherScreenBinding: Binding = { id: 'b', place: '/overview', keys: 'c', strokes: parseKeys('c'), isMain: true };
  expect(findConflicts([...keymap, otherScreenBinding])).toEqual([]);
});

test('Dvorak and AZERTY letters count by character, Cyrillic by key position', () => {
  expect(matchesStroke(event('j', 'KeyC'), stroke('j'), false)).toBe(true); // Dvorak j
  expect(matchesStroke(event('h', 'KeyJ'), stroke('j'), false)).toBe(false); // Dvorak h on the key of j
  expect(matchesStroke(event('a', 'KeyQ'), stroke('a'), false)).toBe(true); // AZERTY a
  expect(matchesStroke(event('о', 'KeyJ'), stroke('j'), false)).toBe(true); // Russian
  expect(matchesStroke(event('л', 'KeyK', { ctrlKey: true }), stroke('mod+k'), false)).toBe(true);
  expect(matchesStroke(event('№', 'Digit3', { shiftKey: true }), stroke('#'), false)).toBe(true);
});

test('signs match with or without Shift, letters only with the given Shift', () => {
  expect(matchesStroke(event('?', 'Slash', { shiftKey: true }), stroke('?'), false)).toBe(true);
  expect(matchesStroke(event('#', 'Backslash'), stroke('#'), false)).toBe(true); // German layout
  expect(matchesStroke(event('J', 'KeyJ', { shiftKey: true }), stroke('shift+j'), false)).toBe(true);
  expect(matchesStroke(event('J', 'KeyJ', { shiftKey: true }), stroke('j'), false)).toBe(false);
  expect(matchesStroke(event('？', 'Slash', { shiftKey: true }), stroke('?'), false)).toBe(true); // Chinese full width
});

test('mod is ⌘ on a Mac and Ctrl elsewhere, and AltGr is neither', () => {
  expect(matchesStroke(event('k', 'KeyK', { metaKey: true }), stroke('mod+k'), true)).toBe(true);
  expect(matchesStroke(event('k', 'KeyK', { ctrlKey: true }), stroke('mod+k'), true)).toBe(false);
  expect(matchesStroke(event('k', 'KeyK', { ctrlKey: true }), stroke('mod+k'), false)).toBe(true);
  const altGr = event('#', 'Digit3', { ctrlKey: true, altKey: true, getModifierState: (key) => key === 'AltGraph' });
  expect(matchesStroke(altGr, stroke('#'), false)).toBe(true);
  expect(matchesStroke(event('c', 'KeyC', { ctrlKey: true }), stroke('c'), false)).toBe(false);
});

test('keys of an input method are ignored', () => {
  expect(isImeEvent(event('j', 'KeyJ', { isComposing: true }))).toBe(true);
  expect(isImeEvent(event('Enter', 'Enter', { keyCode: 229 }))).toBe(true);
  expect(isImeEvent(event('Process', 'KeyJ'))).toBe(true);
  expect(isImeEvent(event('j', 'KeyJ'))).toBe(false);
});

test('a sequence completes within a second, ends after it, and a wrong second key counts as a first', () => {
  const matcher = createKeyMatcher();
  const contextAt = (now: number) => ({ isLive: () => true, isMac: false, now });
  expect(matcher.press(event('g', 'KeyG'), keymap, contextAt(0)).waiting.length).toBeGreaterThan(5);
  expect(matcher.isWaiting(900)).toBe(true);
  expect(matcher.press(event('n', 'KeyN'), keymap, contextAt(900)).hit?.id).toBe('go.news');
  matcher.press(event('g', 'KeyG'), keymap, contextAt(2000));
  expect(matcher.press(event('n', 'KeyN'), keymap, contextAt(3100)).hit?.id).not.toBe('go.news');
  matcher.press(event('g', 'KeyG'), keymap, contextAt(4000));
  expect(matcher.press(event('j', 'KeyJ'), keymap, contextAt(4100)).hit?.id).toBe('list.next');
});

test('a binding that is not live here is skipped', () => {
  const matcher = createKeyMatcher();
  const matchContext = { isLive: (binding: Binding) => binding.place === 'global', isMac: false, now: 0 };
  expect(matcher.press(event('c', 'KeyC'), keymap, matchContext).hit).toBeNull();
});

test('invalid keys are refused with an error', () => {
  expect(() => parseKeys('hyper+k')).toThrow(/can’t parse the keys/);
  expect(parseKeys('mod+shift+k')).toEqual([{ mod: true, ctrl: false, alt: false, shift: true, key: 'k' }]);
});
