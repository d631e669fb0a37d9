import { t } from '../i18n/i18n.ts';
import { positionBeside } from '../ui/overlay/floating.ts';
import { showToast } from '../ui/overlay/toasts-store.ts';

/**
 * Opens a popover with the exact values of shortened figures and addresses: of the open record, else the current row, else the
 * page.
 */
export function showExact(): void {
  const scopes = ['[data-record]', '[role="row"][data-cursor]', 'main'].map((selector) =>
    [...document.querySelectorAll<HTMLElement>(selector)].at(-1),
  );
  const scope = scopes.find((scopeElement) => scopeElement?.querySelector('[data-exact]'));
  const figures = [...(scope?.querySelectorAll<HTMLElement>('[data-exact]') ?? [])].slice(0, maxFigures);
  const [firstFigure] = figures;
  if (!firstFigure || !scope) return void showToast({ kind: 'success', text: t('value.allExact') });
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
    const exactText = createElement(
      'dd',
      `text-end tabular-nums ${text.length > maxLength ? 'font-mono text-meta break-all' : 'whitespace-nowrap'}`,
      text,
    );
    exactText.dir = 'ltr';
    list.append(createElement('dt', 'text-2', readFigureName(figure)), exactText);
  }
  popover.append(list);
  popover.addEventListener('keydown', ({ key }) => key.toLowerCase() === 'v' && popover.hidePopover());
  popover.addEventListener('toggle', ({ newState }) => newState === 'closed' && popover.remove());
  document.body.append(popover);
  popover.showPopover();
  positionBeside(popover, scope.role === 'row' ? scope : firstFigure, 'end');
  popover.focus();
}

const maxFigures = 40;
const maxLength = 40; // longest figure in characters: anything longer is an address or a hash

function createElement(tag: string, className: string, text = ''): HTMLElement {
  return Object.assign(document.createElement(tag), { className, textContent: text });
}

/** The column header, the term in a list, or the start of the card. */
function readFigureName(figure: HTMLElement): string {
  const cell = figure.closest('[role="gridcell"]');
  const columnHeader = cell?.closest('[role="grid"]')?.querySelectorAll('[role="columnheader"]')[
    [...(cell.parentElement?.children ?? [])].indexOf(cell)
  ];
  const term = figure.closest('dd')?.parentElement?.querySelector('dt') ?? figure.closest('tr')?.querySelector('th');
  const name = columnHeader?.querySelector('[data-name]') ?? term ?? figure.closest('[data-figure]')?.firstElementChild;
  return name?.textContent ?? '';
}
