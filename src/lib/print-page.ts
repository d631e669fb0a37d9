import { flushSync } from 'react-dom';
import { formatTime } from './format.ts';
import { t } from './i18n/i18n.ts';
import { $isPrinting } from './printing.ts';
import { $loginEmail } from './session/session.ts';

/** Prepares the page for printing, by command or by the browser. Returns an unsubscribe function. */
export function watchPrint(): () => void {
  const onPaper = matchMedia('print');
  const root = document.documentElement;
  let looked: Record<string, string | undefined> = {};
  let head: HTMLElement | null = null;

  const begin = () => {
    if ($isPrinting.get()) return;
    flushSync(() => $isPrinting.set(true));
    const { theme, contrast } = root.dataset;
    looked = { theme, contrast };
    Object.assign(root.dataset, { theme: 'light', contrast: 'more' });
    for (const grid of document.querySelectorAll<HTMLElement>('main [role="grid"]')) shareWidth(grid);
    head = printHeader(document.querySelector('main'));
    const place = document.querySelector(`:is(${record}) h2`)?.parentElement ?? document.querySelector('main');
    if (place?.matches('main')) place.prepend(head);
    else place?.append(head);
  };
  const end = () => {
    if (!$isPrinting.get()) return;
    head?.remove();
    Object.assign(root.dataset, looked);
    $isPrinting.set(false);
  };
  const onChange = () => (onPaper.matches ? begin() : end());

  addEventListener('beforeprint', begin);
  addEventListener('afterprint', end);
  onPaper.addEventListener('change', onChange);
  return () => {
    removeEventListener('beforeprint', begin);
    removeEventListener('afterprint', end);
    onPaper.removeEventListener('change', onChange);
    end();
  };
}

/** Recalculates column widths without the columns of checkboxes and menus. */
function shareWidth(grid: HTMLElement): void {
  const heads = [...grid.querySelectorAll('[role="columnheader"]:not([data-second])')];
  const widths =
    getComputedStyle(heads[0] ?? grid)
      .getPropertyValue('--cols')
      .match(/minmax\([^)]*\)|\S+/g) ?? [];
  const shares = widths.flatMap((width, at) => {
    const [px = 1, grow = 0] = (width.match(/[\d.]+/g) ?? []).map(Number);
    return heads[at]?.querySelector('input,.sr-only:only-child') ? [] : [`minmax(0, ${px + 80 * grow}fr)`];
  });
  grid.style.setProperty('--paper-columns', shares.join(' '));
}

/** A record above its list. */
const record = '[data-drawer],[data-whole]';

/** Printed header: who, when, the filter, and how much of the list is included. */
function printHeader(main: Element | null): HTMLElement {
  const head = document.createElement('div');
  head.dataset['printHead'] = '';
  const lines = [
    t('page.printed', { time: formatTime(new Date().toISOString()), email: $loginEmail.get() }),
    ...(document.querySelector(record) ? [] : [filterText(main), rowsText(main)]),
  ];
  for (const line of lines) {
    if (line === null) continue;
    const words = document.createElement('p');
    words.textContent = line;
    head.append(words);
  }
  return head;
}

function filterText(main: Element | null): string | null {
  const search = main?.querySelector<HTMLInputElement>('[role="search"] input')?.value ?? '';
  const chips = [...(main?.querySelectorAll('[data-filter] > button:first-child') ?? [])].map((chip) =>
    [...chip.children].map(({ textContent }) => textContent).join(' '),
  );
  const set = [...(search === '' ? [] : [`${t('list.search')} ${search}`]), ...chips];
  return set.length > 0 ? t('page.filtered', { filters: set.join(' · ') }) : null;
}

function rowsText(main: Element | null): string | null {
  const grid = main?.querySelector('[role="grid"]');
  if (!grid) return null;
  const n = grid.querySelectorAll('[role="rowgroup"] [role="row"][id]').length;
  const of = Number(grid.getAttribute('aria-rowcount')) - 1;
  return of < 0 ? t('page.rowsLoaded', { n }) : of > n ? t('page.rowsPart', { n, of }) : t('page.rowsAll', { n });
}
