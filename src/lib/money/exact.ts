import { t } from '../i18n/i18n.ts';
import { floatBeside } from '../ui/overlay/floating.ts';
import { showToast } from '../ui/overlay/toasts-store.ts';

/**
 * Opens a popover with the exact values of shortened figures and addresses: of the open record, else the current row, else the
 * page.
 */
export function showExact(): void {
  const scopes = ['[data-record]', '[role="row"][data-cursor]', 'main'].map((of) =>
    [...document.querySelectorAll<HTMLElement>(of)].at(-1),
  );
  const scope = scopes.find((found) => found?.querySelector('[data-exact]'));
  const figures = [...(scope?.querySelectorAll<HTMLElement>('[data-exact]') ?? [])].slice(0, maxFigures);
  const [first] = figures;
  if (!first || !scope) return void showToast({ kind: 'success', text: t('value.allExact') });
  const popover = createElement(
    'div',
    'm-0 max-h-[80dvh] max-w-[calc(100vw-1rem)] overflow-y-auto rounded-card bg-overlay p-3 text-body text-1 shadow-menu',
  );
  popover.popover = 'auto';
  popover.tabIndex = -1;
  popover.role = 'dialog';
  popover.ariaLabel = t('value.exact');
  popover.dataset['exactValues'] = '';
  const list = createElement('dl', 'grid grid-cols-[auto_auto] gap-x-6 gap-y-1');
  for (const figure of figures) {
    const text = figure.dataset['exact'] ?? '';
    const exact = createElement(
      'dd',
      `text-end tabular-nums ${text.length > maxLength ? 'font-mono text-meta break-all' : 'whitespace-nowrap'}`,
      text,
    );
    exact.dir = 'ltr';
    list.append(createElement('dt', 'text-2', nameOf(figure)), exact);
  }
  popover.append(list);
  popover.addEventListener('keydown', ({ key }) => key.toLowerCase() === 'v' && popover.hidePopover());
  popover.addEventListener('toggle', ({ newState }) => newState === 'closed' && popover.remove());
  document.body.append(popover);
  popover.showPopover();
  floatBeside(popover, scope.role === 'row' ? scope : first, 'end');
  popover.focus();
}

const maxFigures = 40;
const maxLength = 40; // longest figure in characters: anything longer is an address or a hash

function createElement(tag: string, className: string, text = ''): HTMLElement {
  return Object.assign(document.createElement(tag), { className, textContent: text });
}

/** The column header, the term in a list, or the start of the card. */
function nameOf(figure: HTMLElement): string {
  const cell = figure.closest('[role="gridcell"]');
  const head = cell?.closest('[role="grid"]')?.querySelectorAll('[role="columnheader"]')[
    [...(cell.parentElement?.children ?? [])].indexOf(cell)
  ];
  const term = figure.closest('dd')?.parentElement?.querySelector('dt') ?? figure.closest('tr')?.querySelector('th');
  const name = head?.querySelector('[data-name]') ?? term ?? figure.closest('[data-figure]')?.firstElementChild;
  return name?.textContent ?? '';
}
