import { expect, test } from 'vitest';
import { isViewOpen, currentView } from './commands.ts';

test('a view keeps filter and sort, and no temporary parameters', () => {
  const address = '/news?shown=false&sort=-time&open=1&whole=1&preview=2&triage=on&imports=3';
  expect(currentView(address)).toEqual({ place: '/news', query: 'shown=false&sort=-time' });
});

test('the current view is recognized whatever temporary parameters the page or an old view has', () => {
  for (const query of ['shown=false', 'shown=false&whole=1']) {
    expect(isViewOpen({ place: '/news', query }, '/news?shown=false')).toBe(true);
    expect(isViewOpen({ place: '/news', query }, '/news?shown=false&open=1&whole=1')).toBe(true);
    expect(isViewOpen({ place: '/news', query }, '/news?shown=true')).toBe(false);
    expect(isViewOpen({ place: '/notices', query }, '/news?shown=false')).toBe(false);
  }
});
