import { expect, test } from 'vitest';
import { layoutChanges, type LayoutItem } from './layout.ts';

const button = (name: string, x: number, width = 80): LayoutItem => ({ role: 'button', name, box: [x, 10, width, 32] });
const pictured = [button('Add', 100), button('Get', 200), button('⋯', 300), button('⋯', 500)];

test('finds no change if every control is where it was, give or take a font', () => {
  expect(layoutChanges(pictured, pictured)).toEqual([]);
  expect(layoutChanges(pictured, [button('⋯', 520), button('⋯', 290), button('Get', 210, 90), button('Add', 80, 90)])).toEqual(
    [],
  );
});

test('reports controls that are gone, new, renamed, moved or resized', () => {
  expect(layoutChanges(pictured, pictured.slice(1))).toEqual(['gone: button “Add”']);
  expect(layoutChanges(pictured, [...pictured, button('Share', 700)])).toEqual(['new: button “Share”']);
  expect(layoutChanges(pictured, [button('Create', 100), ...pictured.slice(1)])).toEqual([
    'gone: button “Add”',
    'new: button “Create”',
  ]);
  expect(layoutChanges(pictured, [button('Add', 125), ...pictured.slice(1)])).toEqual([
    'moved: button “Add” from 100 10 80 32 to 125 10 80 32',
  ]);
  expect(layoutChanges(pictured, [button('Add', 100, 105), ...pictured.slice(1)])).toEqual([
    'moved: button “Add” from 100 10 80 32 to 100 10 105 32',
  ]);
  expect(layoutChanges(pictured, pictured.with(0, { ...button('Add', 100), role: 'link' }))).toEqual([
    'gone: button “Add”',
    'new: link “Add”',
  ]);
});
