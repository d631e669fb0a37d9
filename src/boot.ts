/**
 * Runs before the first paint, as a blocking script of its own because the content policy allows none inline.
 * Sets language, direction, theme and density, and asks at once for the chunks this page is going to need.
 */
import { applyLocale, askedLocale, dictionaryFor } from './lib/i18n/locale.ts';
import { chunksFor } from './lib/preload.ts';
import { readStored } from './lib/storage.ts';
import { applyAppearance, storedDensity, storedTheme } from './lib/theme.ts';

const asked = askedLocale();
applyLocale(document.documentElement, asked);
applyAppearance(document.documentElement, storedTheme(), storedDensity());

const page = { path: location.pathname, signedIn: Boolean(readStored('Authorization')), locale: dictionaryFor(asked) };
for (const href of chunksFor(document.currentScript?.dataset['chunks'], page)) {
  const link = document.createElement('link');
  link.rel = 'modulepreload';
  link.href = href;
  document.head.append(link);
}
