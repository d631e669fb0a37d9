import { beforeAll, describe, expect, it } from 'vitest';
import { enPanel } from '../../i18n/en-US/index.ts';
import { setDictionary, t } from '../../i18n/i18n.ts';
import { zhPanel } from '../../i18n/zh-CN/index.ts';
import { keyChips, spellOutKeys } from './key-text.ts';

describe('keys on chips', () => {
  it.each([
    ['mod+k', false, [['Ctrl', 'K']]],
    ['mod+k', true, [['⌘', 'K']]],
    ['mod+shift+enter', false, [['Ctrl', 'Shift', '↵']]],
    ['g n', false, [['G'], ['N']]],
    ['shift+j', true, [['⇧', 'J']]],
    ['#', false, [['#']]],
    ['+', false, [['+']]],
    ['mod++', false, [['Ctrl', '+']]],
    ['F2', false, [['F2']]],
  ])('of %s, on a Mac: %s', (keys, isMacOs, expectedChips) => {
    expect(keyChips(keys, isMacOs)).toEqual(expectedChips);
  });
});

describe('keys for screen readers', () => {
  beforeAll(() => setDictionary('en-US', enPanel));
  it.each([
    ['mod+k', false, 'Control plus K'],
    ['mod+k', true, 'Command plus K'],
    ['mod+shift+k', false, 'Control plus Shift plus K'],
    ['g n', false, 'G, then N'],
    ['?', false, 'Question Mark'],
  ])('are words for %s, on a Mac: %s, in English', (keys, isMacOs, expectedWords) => {
    expect(spellOutKeys(keys, isMacOs, t)).toBe(expectedWords);
  });

  it('are Chinese words in Chinese', () => {
    setDictionary('zh-CN', zhPanel);
    expect(spellOutKeys('mod+k', false, t)).toBe('Control 加 K');
    expect(spellOutKeys('g n', false, t)).toBe('先按 G，再按 N');
  });
});
