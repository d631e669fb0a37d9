import { flushSync } from 'react-dom';
import { formatTime } from './format.ts';
import { t } from './i18n/i18n.ts';
import { $isPrinting } from './printing.ts';
import { $loginEmail } from './session/session.ts';

/** Prepares the page for printing, by command or by the browser. Returns an unsubscribe function. */
export function watchPrint(): () => void {
  const printableAttributes = matchMedia('print');
  const root = document.documentElement;
  let attributesBeforePrint: Record<string, string | undefined> = {};
  let printHead: HTMLElement | null = null;

  const beginPrint = () => {
    if ($isPrinting.get()) return;
    flushSync(() => $isPrinting.set(true));
    const { theme, contrast } = root.dataset;
    attributesBeforePrint = { theme, contrast };
    Object.assign(root.dataset, { theme: 'light', contrast: 'more' });
    for (const grid of document.querySelectorAll<HTMLElement>('main [role="grid"]')) shareWidth(grid);
    printHead = printHeader(document.querySelector('main'));
    const insertionPoint = document.querySelector(`:is(${record}) h2`)?.parentElement ?? document.querySelector('main');
    if (insertionPoint?.matches('main')) insertionPoint.prepend(printHead);
    else insertionPoint?.append(printHead);
  };
  const endPrint = () => {
    if (!$isPrinting.get()) return;
    printHead?.remove();
    Object.assign(root.dataset, attributesBeforePrint);
    $isPrinting.set(false);
  };
  const onChange = () => (printableAttributes.matches ? beginPrint() : endPrint());

  addEventListener('beforeprint', beginPrint);
  addEventListener('afterprint', endPrint);
  printableAttributes.addEventListener('change', onChange);
  return () => {
    removeEventListener('beforeprint', beginPrint);
    removeEventListener('afterprint', endPrint);
    printableAttributes.removeEventListener('change', onChange);
    endPrint();
  };
}

/** Recalculates column widths without the columns of checkboxes and menus. */
function shareWidth(grid: HTMLElement): void {
  const columnHeaders = [...grid.querySelectorAll('[role="columnheader"]:not([data-second])')];
  const widths =
    getComputedStyle(columnHeaders[0] ?? grid)
      .getPropertyValue('--cols')
      .match(/minmax\([^)]*\)|\S+/g) ?? [];
  const widthShares = widths.flatMap((width, index) => {
    const [pixels = 1, flexGrow = 0] = (width.match(/[\d.]+/g) ?? []).map(Number);
    return columnHeaders[index]?.querySelector('input,.sr-only:only-child') ? [] : [`minmax(0, ${pixels + 80 * flexGrow}fr)`];
  });
  grid.style.setProperty('--paper-columns', widthShares.join(' '));
}

/** A record above its list. */
const record = '[data-drawer],[data-whole]';

/** Printed header: who, when, the filter, and how much of the list is included. */
function printHeader(mainElement: Element | null): HTMLElement {
  const printHead = document.createElement('div');
  printHead.dataset['printHead'] = '';
  const lines = [
    t('page.printed', { time: formatTime(new Date().toISOString()), email: $loginEmail.get() }),
    ...(document.querySelector(record) ? [] : [filterText(mainElement), rowsText(mainElement)]),
  ];
  for (const line of lines) {
    if (line === null) continue;
    const headingLine = document.createElement('p');
    headingLine.textContent = line;
    printHead.append(headingLine);
  }
  return printHead;
}

function filterText(mainElement: Element | null): string | null {
  const search = mainElement?.querySelector<HTMLInputElement>('[role="search"] input')?.value ?? '';
  const filterChips = [...(mainElement?.querySelectorAll('[data-filter] > button:first-child') ?? [])].map((chip) =>
    [...chip.children].map(({ textContent }) => textContent).join(' '),
  );
  const appliedFilters = [...(search === '' ? [] : [`${t('list.search')} ${search}`]), ...filterChips];
  return appliedFilters.length > 0 ? t('page.filtered', { filters: appliedFilters.join(' · ') }) : null;
}

function rowsText(mainElement: Element | null): string | null {
  const grid = mainElement?.querySelector('[role="grid"]');
  if (!grid) return null;
  const n = grid.querySelectorAll('[role="rowgroup"] [role="row"][id]').length;
  const totalRows = Number(grid.getAttribute('aria-rowcount')) - 1;
  return totalRows < 0
    ? t('page.rowsLoaded', { n })
    : totalRows > n
      ? t('page.rowsPart', { n, of: totalRows })
      : t('page.rowsAll', { n });
}
