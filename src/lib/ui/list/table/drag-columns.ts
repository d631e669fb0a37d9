import { clampWidth } from './columns.ts';

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
export function resizeColumn(startEvent: PointerEvent, setWidth: (id: string, width: number) => void): void {
  const headerCell = closestTarget(startEvent, '[data-head]');
  const id = headerCell?.dataset['head'];
  const gridElement = headerCell?.closest<HTMLElement>('[style*="--cols"]');
  if (!headerCell || !id || !gridElement || startEvent.button !== 0) return;
  const startWidth = headerCell.getBoundingClientRect().width; // a growing column is wider than its size in the table
  const previousColumns = gridElement.style.getPropertyValue('--cols');
  const tracks: string[] = previousColumns.match(/minmax\([^)]*\)|\S+/g) ?? [];
  const heads = [...(headerCell.parentElement?.children ?? [])];
  const columnIndex =
    heads.slice(0, heads.indexOf(headerCell) + 1).filter((header) => !header.matches('[data-second]')).length - 1;

  const dragController = new AbortController();
  const { signal } = dragController;
  const isOtherPointer = ({ pointerId }: PointerEvent) => pointerId !== startEvent.pointerId;
  const widthAt = ({ clientX }: PointerEvent) =>
    clampWidth(startWidth + (clientX - startEvent.clientX) * (document.dir === 'rtl' ? -1 : 1));
  const endDrag = () => {
    dragController.abort();
    gridElement.style.setProperty('--cols', previousColumns);
  };
  const previewWidth = (event: PointerEvent) => {
    if (!isOtherPointer(event))
      gridElement.style.setProperty('--cols', tracks.with(columnIndex, `${widthAt(event)}px`).join(' '));
  };
  const keepWidth = (event: PointerEvent) => {
    if (isOtherPointer(event)) return;
    endDrag();
    if (Math.abs(event.clientX - startEvent.clientX) > 1) setWidth(id, widthAt(event));
  };
  addEventListener('pointermove', previewWidth, { signal });
  addEventListener('pointerup', keepWidth, { signal });
  addEventListener('pointercancel', (event) => isOtherPointer(event) || endDrag(), { signal });
  onEscape(endDrag, signal);
}
