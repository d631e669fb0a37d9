/**
 * uPlot makes a formatter of navigator.language as it loads, and throws where that is no language's tag: a browser started
 * with LANG=C.UTF-8 says "C". Nothing of ours is formatted by it, so any tag will do. Imported before it.
 */
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true });
}
