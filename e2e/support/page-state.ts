// Also serialized by `page.evaluate(refundStateOf)`.

/** 0 is the first row. */
export function cursorAt(): number | null {
  const at = document.querySelector('[role="row"][data-cursor]')?.getAttribute('aria-rowindex');
  return at ? Number(at) - 2 : null;
}

/** Everything that a key could change. */
export function stateOf() {
  const all = (selector: string) => document.querySelectorAll(selector).length;
  const seen = [...document.querySelectorAll('[role="dialog"],[role="alertdialog"],[role="menu"]')].filter((one) =>
    one.checkVisibility(),
  );
  return {
    place: location.pathname + location.search,
    language: document.documentElement.lang,
    dialogs: seen.length,
    toasts: all('[data-toast]'),
    cursor: document.querySelector('[data-cursor]')?.getAttribute('aria-rowindex') ?? null,
    checked: all('[data-checked]'),
    focus: `${document.activeElement?.tagName} ${document.activeElement?.getAttribute('aria-label')}`,
    sidebar: document.querySelector('[data-command="sidebar.toggle"]')?.getAttribute('aria-expanded') ?? null,
  };
}
