import { afterEach, expect, test } from 'vitest';
import { $density, $theme, watchPrefs } from './prefs.ts';
import { densityKey, themeKey } from './theme.ts';

watchPrefs();

const dispatchPageShow = (persisted: boolean) => dispatchEvent(new PageTransitionEvent('pageshow', { persisted }));

afterEach(() => {
  localStorage.clear();
  dispatchPageShow(true);
});

test('a page restored by the Back button adopts the theme chosen in another tab', () => {
  localStorage.setItem(themeKey, 'dark');
  localStorage.setItem(densityKey, 'compact');
  expect($theme.get()).toBe('system');
  dispatchPageShow(true);
  expect([$theme.get(), $density.get(), document.documentElement.dataset['theme']]).toEqual(['dark', 'compact', 'dark']);
});
