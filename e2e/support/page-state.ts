// Also serialized by `page.evaluate(readRefundState)`.

/** 0 is the first row. */
export function readCursorIndex(): number | null {
  const rowIndex = document.querySelector('[role="row"][data-cursor]')?.getAttribute('aria-rowindex');
  return rowIndex ? Number(rowIndex) - 2 : null;
}

/** Everything that a key could change. */
export function readPageState() {
  const countElements = (selector: string) => document.querySelectorAll(selector).length;
  const visibleOverlays = [...document.querySelectorAll('[role="dialog"],[role="alertdialog"],[role="menu"]')].filter((overlay) =>
    overlay.checkVisibility(),
  );
  return {
    place: location.pathname + location.search,
    language: document.documentElement.lang,
    dialogs: visibleOverlays.length,
    toasts: countElements('[data-toast]'),
    cursor: document.querySelector('[data-cursor]')?.getAttribute('aria-rowindex') ?? null,
    checked: countElements('[data-checked]'),
    focus: `${document.activeElement?.tagName} ${document.activeElement?.getAttribute('aria-label')}`,
    sidebar: document.querySelector('[data-command="sidebar.toggle"]')?.getAttribute('aria-expanded') ?? null,
  };
}
