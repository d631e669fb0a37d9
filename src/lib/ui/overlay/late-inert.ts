/**
 * The page behind a dialog becomes inert once the dialog is painted, not before: styling all of the page anew takes longer than
 * opening the palette does. Until then the dialog has the focus and its backdrop the pointer. It is usable again at once.
 */
export function makeLateInert(page: HTMLElement): void {
  let asked = page.inert;
  Object.defineProperty(page, 'inert', {
    configurable: true,
    get: () => asked,
    set: (value: boolean) => {
      asked = value;
      if (!value) page.removeAttribute('inert');
      else requestAnimationFrame(() => setTimeout(() => page.toggleAttribute('inert', asked)));
    },
  });
}
