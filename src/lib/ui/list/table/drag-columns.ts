import type { Layout } from './columns.ts';

interface Columns {
  columns: readonly { id: string }[];
  layout: Layout;
  keep: (layout: Layout) => void;
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
    };
  };
}

function reordering(head: HTMLElement, id: string, { columns, layout, keep }: Columns, rtl: boolean): (from: number) => Drag {
  const others = [...(head.parentElement?.querySelectorAll<HTMLElement>('[data-head]') ?? [])].filter((one) => one !== head);
  return (from) => ({
    move: ({ clientX }) => {
      if (Math.abs(clientX - from) <= begins) return;
      head.style.opacity = '0.6';
      head.style.transform = `translateX(${clientX - from}px)`;
    },
    end: ({ clientX }) => {
      head.style.opacity = head.style.transform = '';
      if (Math.abs(clientX - from) <= begins) return;
      addEventListener('click', stop, { capture: true, once: true }); // the name under it is not pressed
      setTimeout(() => removeEventListener('click', stop, true));
      const isAfter = (other: HTMLElement) => {
        const { left, width } = other.getBoundingClientRect();
        return rtl ? clientX < left + width / 2 : clientX > left + width / 2;
      };
      const place = others.filter(isAfter).length;
      const order = columns.map((column) => column.id).filter((one) => one !== id);
      keep({ ...layout, order: order.toSpliced(place, 0, id) });
    },
  });
}

const stop = (event: Event) => {
  event.stopPropagation();
  event.preventDefault();
};

function follow(down: PointerEvent, begin: (from: number) => Drag): void {
  const { move, end } = begin(down.clientX);
  const leave = new AbortController();
  const finish = (event: PointerEvent) => {
    leave.abort();
    end(event);
  };
  addEventListener('pointermove', move, { signal: leave.signal });
  addEventListener('pointerup', finish, { signal: leave.signal });
  addEventListener('pointercancel', finish, { signal: leave.signal });
}
