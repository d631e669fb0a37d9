import { useCallback, useLayoutEffect, useState, type RefObject } from 'react';

/** Rows drawn beyond what is seen, so that a scroll finds them there. */
const overscan = 8;

interface View {
  scrollTop: number;
  /** What of the scroller shows rows, in pixels: its height without the sticky head. */
  height: number;
  rowHeight: number;
  count: number;
}

/** The rows to draw: the first, and the one after the last. */
export function windowOf({ scrollTop, height, rowHeight, count }: View): { first: number; end: number } {
  const first = Math.floor(scrollTop / rowHeight) - overscan;
  const end = Math.ceil((scrollTop + height) / rowHeight) + overscan;
  return { first: Math.max(0, Math.min(first, count)), end: Math.max(0, Math.min(end, count)) };
}

/** Where to scroll so that a row is seen whole: not at all when it is. */
export function scrollTopFor(index: number, { scrollTop, height, rowHeight }: View): number {
  const top = index * rowHeight;
  if (top < scrollTop) return top;
  return top + rowHeight > scrollTop + height ? top + rowHeight - height : scrollTop;
}

/**
 * Draws only the rows of a long list that are in sight. Rows are equally high, so that arithmetic does
 * what a measuring library would, in a tenth of its weight.
 */
export function useWindow(
  scroller: RefObject<HTMLElement | null>,
  rows: { count: number; rowHeight: number; headHeight: number },
) {
  const { count, rowHeight, headHeight } = rows;
  const [seen, setSeen] = useState({ first: 0, end: 0 });

  const viewOf = useCallback(
    (element: HTMLElement): View => ({
      scrollTop: element.scrollTop,
      height: element.clientHeight - headHeight,
      rowHeight,
      count,
    }),
    [count, rowHeight, headHeight],
  );

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const read = () => {
      element.toggleAttribute('data-over', element.scrollWidth > element.clientWidth);
      const next = windowOf(viewOf(element));
      setSeen((before) => (before.first === next.first && before.end === next.end ? before : next));
    };
    read();
    element.addEventListener('scroll', read, { passive: true });
    const size = new ResizeObserver(read);
    size.observe(element);
    return () => {
      element.removeEventListener('scroll', read);
      size.disconnect();
    };
  }, [scroller, viewOf]);

  const reveal = useCallback(
    (index: number) => {
      const element = scroller.current;
      if (element) element.scrollTop = scrollTopFor(index, viewOf(element));
    },
    [scroller, viewOf],
  );

  return { ...seen, reveal };
}
