import { clampWidth } from './columns.ts';
import type { GridTable } from './use-table.ts';

/** Pixels until a press counts as a drag. */
const dragThreshold = 5;

const closestTarget = ({ target }: Event, selector: string) =>
  target instanceof Element ? target.closest<HTMLElement>(selector) : null;

const stopEvent = (event: Event) => {
  event.stopPropagation();
  event.preventDefault();
};

/** Stops the event, so that no other handler sees it. */
function onEscape(cancelDrag: () => void, signal: AbortSignal): void {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    stopEvent(event);
    cancelDrag();
  };
  addEventListener('keydown', onKeyDown, { signal, capture: true });
}

export function dragColumns(startEvent: PointerEvent, setOrder: (changeOrder: (order: string[]) => string[]) => void): void {
  const headerCell = closestTarget(startEvent, '[data-head]');
  const id = headerCell?.dataset['head'];
  if (!headerCell || !id || startEvent.button !== 0 || closestTarget(startEvent, '[data-edge]')) return;
  const otherHeaders = [...(headerCell.parentElement?.querySelectorAll<HTMLElement>('[data-head]') ?? [])].filter(
    (header) => header !== headerCell,
  );
  const dragController = new AbortController();
  let isCanceled = false;
  const isDragged = ({ clientX }: PointerEvent) => !isCanceled && Math.abs(clientX - startEvent.clientX) > dragThreshold;
  const cleanUp = () => {
    headerCell.style.opacity = headerCell.style.transform = '';
  };
  const dropColumn = ({ clientX }: PointerEvent) => {
    const isDroppedAfter = (header: HTMLElement) => {
      const { left, width } = header.getBoundingClientRect();
      return document.dir === 'rtl' ? clientX < left + width / 2 : clientX > left + width / 2;
    };
    const nextColumnId = otherHeaders[otherHeaders.filter(isDroppedAfter).length]?.dataset['head'];
    setOrder((order) => {
      const otherColumns = order.filter((header) => header !== id);
      return otherColumns.toSpliced(nextColumnId === undefined ? otherColumns.length : otherColumns.indexOf(nextColumnId), 0, id);
    });
  };
  const finishDrag = (event: PointerEvent) => {
    dragController.abort();
    cleanUp();
    const isDropped = event.type === 'pointerup' && isDragged(event); // otherwise the browser scrolls
    if (isDropped || isCanceled) suppressClick();
    if (isDropped) dropColumn(event);
  };
  const moveColumn = (event: PointerEvent) => {
    if (!isDragged(event)) return;
    headerCell.style.opacity = '0.6';
    headerCell.style.transform = `translateX(${event.clientX - startEvent.clientX}px)`;
  };
  addEventListener('pointermove', moveColumn, { signal: dragController.signal });
  addEventListener('pointerup', finishDrag, { signal: dragController.signal });
  addEventListener('pointercancel', finishDrag, { signal: dragController.signal });
  onEscape(() => {
    isCanceled = true;
    cleanUp();
  }, dragController.signal);
}

function suppressClick(): void {
  addEventListener('click', stopEvent, { capture: true, once: true });
  setTimeout(() => removeEventListener('click', stopEvent, true));
}

/** The preview bypasses React, so that no row renders. */
export function resizeColumn<Row extends object>(startEvent: MouseEvent | TouchEvent, table: GridTable<Row>): void {
  const headerCell = closestTarget(startEvent, '[data-head]');
  const header = table.getFlatHeaders().find(({ column }) => column.id === headerCell?.dataset['head']);
  const gridElement = headerCell?.closest<HTMLElement>('[style*="--cols"]');
  if (!headerCell || !header || !gridElement || ('button' in startEvent && startEvent.button !== 0)) return;
  const { width } = headerCell.getBoundingClientRect();
  const previousColumns = gridElement.style.getPropertyValue('--cols');
  const tracks: string[] = previousColumns.match(/minmax\([^)]*\)|\S+/g) ?? [];
  const heads = [...(headerCell.parentElement?.children ?? [])];
  const columnIndex =
    heads.slice(0, heads.indexOf(headerCell) + 1).filter((header) => !header.matches('[data-second]')).length - 1;

  header.getResizeHandler()(startEvent);
  // A growing column is wider than its size in the table.
  table.setColumnResizing((resizing) => ({ ...resizing, startSize: width, columnSizingStart: [[header.column.id, width]] }));

  const dragController = new AbortController();
  const { unsubscribe } = table.atoms.columnResizing.subscribe(({ isResizingColumn, deltaOffset }) => {
    const previewColumns = () => tracks.with(columnIndex, `${clampWidth(width + (deltaOffset ?? 0))}px`).join(' ');
    gridElement.style.setProperty('--cols', isResizingColumn === false ? previousColumns : previewColumns());
    if (isResizingColumn !== false) return;
    unsubscribe();
    dragController.abort();
  });
  // On each of these events the table would keep the new width.
  const cancelDrag = () => table.resetHeaderSizeInfo(true);
  const isUnmoved = ({ clientX }: MouseEvent) => 'clientX' in startEvent && Math.abs(clientX - startEvent.clientX) <= 1;
  addEventListener('mouseup', (event) => isUnmoved(event) && cancelDrag(), { signal: dragController.signal, capture: true });
  addEventListener('touchcancel', cancelDrag, { signal: dragController.signal, capture: true });
  onEscape(cancelDrag, dragController.signal);
}
