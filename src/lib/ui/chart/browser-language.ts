/**
 * Import before uPlot, which throws on load if navigator.language is not a language tag, such as "C" with LANG=C.UTF-8. We use none
 * of its formats.
 */
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true });
}
