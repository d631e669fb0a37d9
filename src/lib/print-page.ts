import { flushSync } from 'react-dom';
import { formatTime, groupDigits } from './format.ts';
import { t } from './i18n/i18n.ts';
import { $isPrinting, maxPrintedRows } from './printing.ts';
import { $viewContexts, findListContext } from './scope.ts';
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
    fitPaper(root);
    printHead = printHeader(document.querySelector('main'));
    const insertionPoint = document.querySelector(`:is(${record}) h2`)?.parentElement ?? document.querySelector('main');
    if (insertionPoint?.matches('main')) insertionPoint.prepend(printHead);
    else insertionPoint?.append(printHead);
  };
  const endPrint = () => {
    if (!$isPrinting.get()) return;
    printHead?.remove();
    Object.assign(root.dataset, attributesBeforePrint);
    delete root.dataset['paper'];
    root.style.removeProperty('--paper-zoom');
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

/**
 * Prints the matching rows up to the limit. If a page fails to load, the printed header says so. Prints nothing if the person leaves
 * the list meanwhile.
 */
export async function printPage(): Promise<void> {
  const listControls = () => findListContext($viewContexts.get())?.controls;
  const controls = document.querySelector(record) ? null : listControls();
  for (let loaded: number | null = 0; loaded !== null && loaded < maxPrintedRows;) {
    loaded = (await controls?.loadMore?.()) ?? null;
    await nextRender(); // the next page is requested with the cursor of the rendered one
    if (controls && listControls() !== controls) return;
  }
  print();
}

const nextRender = () => new Promise((resolve) => setTimeout(resolve, 20));

/** In CSS pixels, without the margins, of the narrower one of A4 and Letter. */
const [portraitWidth, landscapeWidth] = [700, 960];
const largestZoom = 0.85;
/** Turns the paper for a wide list, and reduces one that is wider still, because a figure is never cut. */
function fitPaper(root: HTMLElement): void {
  root.dataset['paper'] = 'narrow';
  const widths = [...document.querySelectorAll<HTMLElement>('main [role="grid"] > div')].map(narrowestWidth);
  const width = Math.max(1, ...widths);
  const isWide = width * largestZoom > portraitWidth;
  if (isWide) root.dataset['paper'] = 'wide';
  const paperWidth = isWide ? landscapeWidth : portraitWidth;
  root.style.setProperty('--paper-zoom', String(Math.min(largestZoom, paperWidth / width)));
}

function narrowestWidth(table: HTMLElement): number {
  table.style.width = 'min-content';
  const { offsetWidth } = table;
  table.style.width = '';
  return offsetWidth;
}

/** A record above its list. */
const record = '[data-drawer],[data-whole]';

/** Printed header: who, when, the filter, and how much of the list is included. */
function printHeader(mainElement: Element | null): HTMLElement {
  const printHead = document.createElement('div');
  printHead.dataset['printHead'] = '';
  const lines = [
    t('page.printed', { time: formatTime(new Date().toISOString()), email: $loginEmail.get() }),
    ...(document.querySelector(record) ? [] : [filterText(mainElement), ...rowsTexts(mainElement)]),
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

function rowsTexts(mainElement: Element | null): string[] {
  const grid = mainElement?.querySelector('[role="grid"]');
  if (!grid) return [];
  const n = countRows();
  const totalRows = Number(grid.getAttribute('aria-rowcount')) - 1;
  if (totalRows === n) return [t('page.rowsAll', { n })];
  return [
    totalRows < 0 ? t('page.rowsFirst', { n }) : t('page.rowsPart', { n, of: groupDigits(totalRows) }),
    t(n >= maxPrintedRows ? 'page.rowsLimit' : 'page.rowsLoaded', { max: groupDigits(maxPrintedRows) }),
  ];
}

const countRows = (): number => document.querySelectorAll('main [role="grid"] [role="row"][id]').length;
