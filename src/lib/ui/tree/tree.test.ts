import { describe, expect, test } from 'vitest';
import { checkStateOf, treeRowsOf, matchingIds, toggleTree, treeStep, subtreeOf } from './tree.ts';

const item = (id: string, parentId: string | null = null) => ({ id, parentId });
const items = [
  item('home'),
  item('group'),
  item('news', 'group'),
  item('add', 'news'),
  item('edit', 'news'),
  item('roles', 'group'),
];
const ids = (closed: string[] = [], only: string[] | null = null) =>
  treeRowsOf(items, new Set(closed), only && new Set(only)).map((line) => line.item.id);

test('a closed tree item hides its descendants', () => {
  expect(ids()).toEqual(['home', 'group', 'news', 'add', 'edit', 'roles']);
  expect(ids(['news'])).toEqual(['home', 'group', 'news', 'roles']);
  expect(ids(['group'])).toEqual(['home', 'group']);
});

test('a tree line has its level, its position among siblings, and whether it can open', () => {
  const lines = treeRowsOf(items, new Set(['news']));
  expect(lines.find((line) => line.item.id === 'roles')).toMatchObject({ level: 2, position: 2, size: 2, hasChildren: false });
  expect(lines.find((line) => line.item.id === 'news')).toMatchObject({ hasChildren: true, isOpen: false });
});

test('a tree search shows matches with their ancestors, even if closed', () => {
  const found = matchingIds(items, ({ id }) => id === 'edit');
  expect([...found].toSorted()).toEqual(['edit', 'group', 'news']);
  expect(ids(['group'], [...found])).toEqual(['group', 'news', 'edit']);
});

test('arrow keys move through a tree, open, close, and go to the parent', () => {
  const lines = treeRowsOf(items, new Set(['news']));
  expect(treeStep(lines, 2, 'ArrowRight')).toEqual({ open: 'news' });
  expect(treeStep(lines, 1, 'ArrowRight')).toEqual({ go: 2 });
  expect(treeStep(lines, 1, 'ArrowLeft')).toEqual({ close: 'group' });
  expect(treeStep(lines, 3, 'ArrowLeft')).toEqual({ go: 1 });
  expect(treeStep(lines, 2, 'ArrowLeft', true)).toEqual({ open: 'news' });
  expect(treeStep(lines, 3, 'ArrowDown')).toBeNull();
  expect(treeStep(lines, 3, 'Home')).toEqual({ go: 0 });
  expect(treeStep(lines, 0, 'x')).toBeNull();
});

describe('three states of a tree', () => {
  const free = () => true;
  test('a menu is checked if all its descendants are, and mixed if some are', () => {
    expect(checkStateOf(items, new Set(), 'group')).toBe(false);
    expect(checkStateOf(items, new Set(['add']), 'group')).toBe('mixed');
    expect(checkStateOf(items, new Set(['news', 'add', 'edit']), 'news')).toBe(true);
    expect(subtreeOf(items, 'news').map(({ id }) => id)).toEqual(['news', 'add', 'edit']);
  });

  test('checking a menu checks its children, and unchecking it unchecks them', () => {
    const all = toggleTree(items, new Set(), 'news', free);
    expect([...all].toSorted()).toEqual(['add', 'edit', 'group', 'news']);
    expect([...toggleTree(items, all, 'news', free)]).toEqual(['group']);
    expect(toggleTree(items, new Set(['add']), 'news', free)).toContain('edit');
  });

  test('checking a function checks the menus above it', () => {
    expect([...toggleTree(items, new Set(), 'add', free)].toSorted()).toEqual(['add', 'group', 'news']);
  });

  test('blocked items keep their state', () => {
    const noEdit = ({ id }: { id: string }) => id !== 'edit';
    const some = toggleTree(items, new Set(), 'news', noEdit);
    expect(some).not.toContain('edit');
    expect([...toggleTree(items, new Set([...some, 'edit']), 'news', noEdit)].toSorted()).toEqual(['edit', 'group']);
  });
});
