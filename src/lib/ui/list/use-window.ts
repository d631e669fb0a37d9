import { useCallback, useLayoutEffect, useRef, useState, type RefObject } from 'react';

/**
 * Rows drawn beyond what is seen come and go by so many, at both ends at once: a scroll finds as many to twice as many there, and
 * who goes row by row has new ones drawn at every fourth step only.
 */
const stride = 4;
/** Rows out of sight are drawn when nothing else is to do; after so many milliseconds all the same. */
const patience = 100;

interface View {
  scrollTop: number;
  /** What of the scroller shows rows, in pixels: its height without the sticky head. */
  height: number;
  rowHeight: number;
  count: number;
}

/** Of a list's rows the first, and the one after the last. */
interface Span {
  first: number;
  end: number;
}

const within = (first: number, end: number, count: number): Span => ({
  first: Math.max(0, Math.min(first, count)),
  end: Math.max(0, Math.min(end, count)),
});

/** The rows to draw. */
export function windowOf({ scrollTop, height, rowHeight, count }: View): Span {
  const seen = Math.floor(scrollTop / rowHeight / stride) * stride;
  return within(seen - stride, seen + Math.ceil(height / rowHeight) + 2 * stride, count);
}

/** Whether all that is in sight is among the rows that are drawn. */
export function covers({ first, end }: Span, { scrollTop, height, rowHeight, count }: View): boolean {
  const seen = within(Math.floor(scrollTop / rowHeight), Math.ceil((scrollTop + height) / rowHeight), count);
  return first <= seen.first && seen.end <= end;
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
  const [drawn, setDrawn] = useState<Span>({ first: 0, end: 0 });
  const latest = useRef(drawn);

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
    let stop: (() => void) | null = null;
    const read = () => {
      stop?.();
      stop = null;
      const next = windowOf(viewOf(element));
      if (latest.current.first === next.first && latest.current.end === next.end) return;
      latest.current = next;
      setDrawn(next);
    };
    const measure = () => {
      element.toggleAttribute('data-over', element.scrollWidth > element.clientWidth);
      read();
    };
    const scrolled = () => {
      if (!covers(latest.current, viewOf(element))) read();
      else stop ??= afterFrame(read);
    };
    measure();
    element.addEventListener('scroll', scrolled, { passive: true });
    const size = new ResizeObserver(measure);
    size.observe(element);
    if (element.firstElementChild) size.observe(element.firstElementChild); // as wide as its columns
    return () => {
      stop?.();
      element.removeEventListener('scroll', scrolled);
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

  return { ...drawn, reveal };
}

/** Runs once what was asked for is on screen. Answers with what takes that back. */
function afterFrame(run: () => void): () => void {
  // Safari has no idle time.
  if (!window.requestIdleCallback) {
    const timer = setTimeout(run, patience);
    return () => clearTimeout(timer);
  }
  const asked = requestIdleCallback(run, { timeout: patience });
  return () => cancelIdleCallback(asked);
}
