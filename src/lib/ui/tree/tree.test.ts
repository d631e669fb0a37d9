import { describe, expect, test } from 'vitest';
import { computeCheckState, flattenTree, matchingIds, toggleTree, computeTreeStep, readSubtree } from './tree.ts';

const item = (id: string, parentId: string | null = null) => ({ id, parentId });
const items = [
  item('home'),
  item('group'),
  item('news', 'group'),
  item('add', 'news'),
  item('edit', 'news'),
  item('roles', 'group'),
];
const visibleIds = (closedIds: string[] = [], onlyIds: string[] | null = null) =>
  flattenTree(items, new Set(closedIds), onlyIds && new Set(onlyIds)).map((line) => line.item.id);

test('a closed tree item hides its descendants', () => {
  expect(visibleIds()).toEqual(['home', 'group', 'news', 'add', 'edit', 'roles']);
  expect(visibleIds(['news'])).toEqual(['home', 'group', 'news', 'roles']);
  expect(visibleIds(['group'])).toEqual(['home', 'group']);
});

test('a tree line has its level, its position among siblings, and whether it can open', () => {
  const lines = flattenTree(items, new Set(['news']));
  expect(lines.find((line) => line.item.id === 'roles')).toMatchObject({ level: 2, position: 2, size: 2, hasChildren: false });
  expect(lines.find((line) => line.item.id === 'news')).toMatchObject({ hasChildren: true, isOpen: false });
});

test('a tree search shows matches with their ancestors, even if closed', () => {
  const matching = matchingIds(items, ({ id }) => id === 'edit');
  expect([...matching].toSorted()).toEqual(['edit', 'group', 'news']);
  expect(visibleIds(['group'], [...matching])).toEqual(['group', 'news', 'edit']);
});

test('arrow keys move through a tree, open, close, and go to the parent', () => {
  const lines = flattenTree(items, new Set(['news']));
  expect(computeTreeStep(lines, 2, 'ArrowRight')).toEqual({ open: 'news' });
  expect(computeTreeStep(lines, 1, 'ArrowRight')).toEqual({ go: 2 });
  expect(computeTreeStep(lines, 1, 'ArrowLeft')).toEqual({ close: 'group' });
  expect(computeTreeStep(lines, 3, 'ArrowLeft')).toEqual({ go: 1 });
  expect(computeTreeStep(lines, 2, 'ArrowLeft', true)).toEqual({ open: 'news' });
  expect(computeTreeStep(lines, 3, 'ArrowDown')).toBeNull();
  expect(computeTreeStep(lines, 3, 'Home')).toEqual({ go: 0 });
  expect(computeTreeStep(lines, 0, 'x')).toBeNull();
});

describe('three states of a tree', () => {
  const isToggleable = () => true;
  test('a menu is checked if all its descendants are, and mixed if some are', () => {
    expect(computeCheckState(items, new Set(), 'group')).toBe(false);
    expect(computeCheckState(items, new Set(['add']), 'group')).toBe('mixed');
    expect(computeCheckState(items, new Set(['news', 'add', 'edit']), 'news')).toBe(true);
    expect(readSubtree(items, 'news').map(({ id }) => id)).toEqual(['news', 'add', 'edit']);
  });

  test('checking a menu checks its children, and unchecking it unchecks them', () => {
    const allChecked = toggleTree(items, new Set(), 'news', isToggleable);
    expect([...allChecked].toSorted()).toEqual(['add', 'edit', 'group', 'news']);
    expect([...toggleTree(items, allChecked, 'news', isToggleable)]).toEqual(['group']);
    expect(toggleTree(items, new Set(['add']), 'news', isToggleable)).toContain('edit');
  });

  test('checking a function checks the menus above it', () => {
    expect([...toggleTree(items, new Set(), 'add', isToggleable)].toSorted()).toEqual(['add', 'group', 'news']);
  });

  test('blocked items keep their state', () => {
    const isNotEdit = ({ id }: { id: string }) => id !== 'edit';
    const allowedChecked = toggleTree(items, new Set(), 'news', isNotEdit);
    expect(allowedChecked).not.toContain('edit');
    expect([...toggleTree(items, new Set([...allowedChecked, 'edit']), 'news', isNotEdit)].toSorted()).toEqual(['edit', 'group']);
  });
});
