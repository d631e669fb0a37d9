/**
 * Makes the page inert only after the dialog is painted, because restyling the page takes longer than opening the palette. Until
 * then the dialog keeps the focus and its backdrop the pointer.
 */
export function makeLateInert(page: HTMLElement): void {
  let requestedInert = page.inert;
  Object.defineProperty(page, 'inert', {
    configurable: true,
    get: () => requestedInert,
    set: (value: boolean) => {
      requestedInert = value;
      if (!value) page.removeAttribute('inert');
      else requestAnimationFrame(() => setTimeout(() => page.toggleAttribute('inert', requestedInert)));
    },
  });
}
