import { clampWidth } from './columns.ts';
import type { GridTable } from './use-table.ts';

/** Pixels until a press counts as a drag. */
const dragThreshold = 5;

const closestTarget = ({ target }: Event, selector: string) =>
  target instanceof Element ? target.closest<HTMLElement>(selector) : null;

const stop = (event: Event) => {
  event.stopPropagation();
  event.preventDefault();
};

/** Stops the event, so that no other handler sees it. */
function onEscape(giveUp: () => void, signal: AbortSignal): void {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    stop(event);
    giveUp();
  };
  addEventListener('keydown', onKeyDown, { signal, capture: true });
}

export function dragColumns(down: PointerEvent, setOrder: (change: (order: string[]) => string[]) => void): void {
  const head = closestTarget(down, '[data-head]');
  const id = head?.dataset['head'];
  if (!head || !id || down.button !== 0 || closestTarget(down, '[data-edge]')) return;
  const others = [...(head.parentElement?.querySelectorAll<HTMLElement>('[data-head]') ?? [])].filter((one) => one !== head);
  const leave = new AbortController();
  let isGivenUp = false;
  const isDragged = ({ clientX }: PointerEvent) => !isGivenUp && Math.abs(clientX - down.clientX) > dragThreshold;
  const settle = () => {
    head.style.opacity = head.style.transform = '';
  };
  const drop = ({ clientX }: PointerEvent) => {
    const isAfter = (other: HTMLElement) => {
      const { left, width } = other.getBoundingClientRect();
      return document.dir === 'rtl' ? clientX < left + width / 2 : clientX > left + width / 2;
    };
    const next = others[others.filter(isAfter).length]?.dataset['head'];
    setOrder((order) => {
      const rest = order.filter((one) => one !== id);
      return rest.toSpliced(next === undefined ? rest.length : rest.indexOf(next), 0, id);
    });
  };
  const finish = (event: PointerEvent) => {
    leave.abort();
    settle();
    const isDropped = event.type === 'pointerup' && isDragged(event); // otherwise the browser scrolls
    if (isDropped || isGivenUp) refuseClick();
    if (isDropped) drop(event);
  };
  const move = (event: PointerEvent) => {
    if (!isDragged(event)) return;
    head.style.opacity = '0.6';
    head.style.transform = `translateX(${event.clientX - down.clientX}px)`;
  };
  addEventListener('pointermove', move, { signal: leave.signal });
  addEventListener('pointerup', finish, { signal: leave.signal });
  addEventListener('pointercancel', finish, { signal: leave.signal });
  onEscape(() => {
    isGivenUp = true;
    settle();
  }, leave.signal);
}

function refuseClick(): void {
  addEventListener('click', stop, { capture: true, once: true });
  setTimeout(() => removeEventListener('click', stop, true));
}

/** The preview bypasses React, so that no row renders. */
export function resizeColumn<Row extends object>(down: MouseEvent | TouchEvent, table: GridTable<Row>): void {
  const head = closestTarget(down, '[data-head]');
  const header = table.getFlatHeaders().find(({ column }) => column.id === head?.dataset['head']);
  const frame = head?.closest<HTMLElement>('[style*="--cols"]');
  if (!head || !header || !frame || ('button' in down && down.button !== 0)) return;
  const { width } = head.getBoundingClientRect();
  const before = frame.style.getPropertyValue('--cols');
  const tracks: string[] = before.match(/minmax\([^)]*\)|\S+/g) ?? [];
  const heads = [...(head.parentElement?.children ?? [])];
  const at = heads.slice(0, heads.indexOf(head) + 1).filter((one) => !one.matches('[data-second]')).length - 1;

  header.getResizeHandler()(down);
  // A growing column is wider than its size in the table.
  table.setColumnResizing((now) => ({ ...now, startSize: width, columnSizingStart: [[header.column.id, width]] }));

  const leave = new AbortController();
  const { unsubscribe } = table.atoms.columnResizing.subscribe(({ isResizingColumn, deltaOffset }) => {
    const preview = () => tracks.with(at, `${clampWidth(width + (deltaOffset ?? 0))}px`).join(' ');
    frame.style.setProperty('--cols', isResizingColumn === false ? before : preview());
    if (isResizingColumn !== false) return;
    unsubscribe();
    leave.abort();
  });
  // On each of these events the table would keep the new width.
  const giveUp = () => table.resetHeaderSizeInfo(true);
  const isStill = ({ clientX }: MouseEvent) => 'clientX' in down && Math.abs(clientX - down.clientX) <= 1;
  addEventListener('mouseup', (event) => isStill(event) && giveUp(), { signal: leave.signal, capture: true });
  addEventListener('touchcancel', giveUp, { signal: leave.signal, capture: true });
  onEscape(giveUp, leave.signal);
}
