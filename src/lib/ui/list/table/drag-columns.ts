import type { Layout } from './columns.ts';

interface Columns {
  columns: readonly { id: string }[];
  layout: Layout;
  keep: (layout: Layout) => void;
  setOrder: (change: (order: string[]) => string[]) => void;
}

/** How near an edge is meant, and how far a name goes before it is dragged, in pixels. */
const edge = 6;
const begins = 5;
const [least, most] = [48, 1200];

/** Follows a press on the table's head: by its edge a column becomes wider or narrower, by its name it goes elsewhere. */
export function dragColumns(down: PointerEvent, at: Columns): void {
  const head = down.target instanceof Element ? down.target.closest<HTMLElement>('[data-head]') : null;
  const id = head?.dataset['head'];
  if (!head || !id || down.button !== 0) return;
  const rtl = document.dir === 'rtl';
  const { left, right, width } = head.getBoundingClientRect();
  const fromEnd = rtl ? down.clientX - left : right - down.clientX;
  if (Math.abs(fromEnd) <= edge) return follow(down, resizing(head, id, width, at, rtl));
  return follow(down, reordering(head, id, at, rtl));
}

interface Drag {
  move: (event: PointerEvent) => void;
  end: (event: PointerEvent) => void;
  /** Given up: all is drawn as it was. */
  cancel: () => void;
}

function resizing(
  head: HTMLElement,
  id: string,
  width: number,
  { columns, layout, keep }: Columns,
  rtl: boolean,
): (from: number) => Drag {
  const table = head.closest<HTMLElement>('[style*="--cols"]');
  const before = table?.style.getPropertyValue('--cols') ?? '';
  const column = [...(head.parentElement?.children ?? [])].indexOf(head);
  return (from) => {
    const widthAt = ({ clientX }: PointerEvent) =>
      Math.round(Math.max(least, Math.min(most, width + (rtl ? from - clientX : clientX - from))));
    return {
      // Past React while it is dragged: no row is drawn again.
      move: (event) => {
        const widths: string[] = before.match(/minmax\([^)]*\)|\S+/g) ?? [];
        table?.style.setProperty('--cols', widths.with(column, `${widthAt(event)}px`).join(' '));
      },
      end: (event) => {
        const isMoved = Math.abs(event.clientX - from) > 1;
        if (isMoved && columns.some((one) => one.id === id))
          keep({ ...layout, widths: { ...layout.widths, [id]: widthAt(event) } });
      },
      cancel: () => table?.style.setProperty('--cols', before),
    };
  };
}

function reordering(head: HTMLElement, id: string, { setOrder }: Columns, rtl: boolean): (from: number) => Drag {
  const others = [...(head.parentElement?.querySelectorAll<HTMLElement>('[data-head]') ?? [])].filter((one) => one !== head);
  const settle = () => {
    head.style.opacity = head.style.transform = '';
  };
  return (from) => ({
    move: ({ clientX }) => {
      if (Math.abs(clientX - from) <= begins) return;
      head.style.opacity = '0.6';
      head.style.transform = `translateX(${clientX - from}px)`;
    },
    end: ({ clientX }) => {
      settle();
      if (Math.abs(clientX - from) <= begins) return;
      refuseClick();
      const isAfter = (other: HTMLElement) => {
        const { left, width } = other.getBoundingClientRect();
        return rtl ? clientX < left + width / 2 : clientX > left + width / 2;
      };
      const next = others[others.filter(isAfter).length]?.dataset['head'];
      setOrder((order) => {
        const rest = order.filter((one) => one !== id);
        return rest.toSpliced(next === undefined ? rest.length : rest.indexOf(next), 0, id);
      });
    },
    cancel: settle,
  });
}

const stop = (event: Event) => {
  event.stopPropagation();
  event.preventDefault();
};

/** The name under the pointer is not pressed. */
function refuseClick(): void {
  addEventListener('click', stop, { capture: true, once: true });
  setTimeout(() => removeEventListener('click', stop, true));
}

function follow(down: PointerEvent, begin: (from: number) => Drag): void {
  const { move, end, cancel } = begin(down.clientX);
  const leave = new AbortController();
  const { signal } = leave;
  let isGivenUp = false; // by Escape: the press goes on, and means nothing any more
  const finish = (event: PointerEvent) => {
    leave.abort();
    if (isGivenUp) refuseClick();
    else if (event.type === 'pointerup') end(event);
    else cancel(); // the browser scrolls instead
  };
  const giveUp = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    stop(event);
    isGivenUp = true;
    cancel();
  };
  addEventListener('pointermove', (event) => isGivenUp || move(event), { signal });
  addEventListener('pointerup', finish, { signal });
  addEventListener('pointercancel', finish, { signal });
  addEventListener('keydown', giveUp, { signal, capture: true });
}
