import { useCallback, useLayoutEffect, useRef, useState, type RefObject } from 'react';

/**
 * Rows drawn beyond what is seen come and go by so many, at both ends at once: a scroll finds as many to twice as many there, and
 * who goes row by row has new ones drawn at every fourth step only.
 */
const stride = 4;
/** What of the list before showed rows, in pixels: a list that comes up draws as many at once, before it can be measured. */
let lastHeight: number | null = null;
/** What a page leaves of the window for a first list's rows, about. */
const usualShare = 0.85;
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

/** The rows in sight, also those of which only a part is. */
const inSight = ({ scrollTop, height, rowHeight, count }: View): Span =>
  within(Math.floor(scrollTop / rowHeight), Math.ceil((scrollTop + height) / rowHeight), count);

/** Whether all that is in sight is among the rows that are drawn. */
export function covers({ first, end }: Span, view: View): boolean {
  const seen = inSight(view);
  return first <= seen.first && seen.end <= end;
}

/** Where to scroll so that a row is seen whole: not at all when it is, or is none (-1). */
export function scrollTopFor(index: number, { scrollTop, height, rowHeight }: View): number {
  const top = index * rowHeight;
  if (index < 0) return scrollTop;
  if (top < scrollTop) return top;
  return top + rowHeight > scrollTop + height ? top + rowHeight - height : scrollTop;
}

/**
 * Draws only the rows of a long list that are in sight, at first around the one that the cursor stands on. Rows are equally high, so that arithmetic does
 * what a measuring library would, in a tenth of its weight.
 */
export function useWindow(
  scroller: RefObject<HTMLElement | null>,
  rows: { count: number; rowHeight: number; headHeight: number; cursor: number },
) {
  const { count, rowHeight, headHeight, cursor } = rows;
  const [drawn, setDrawn] = useState(() => {
    const top = { scrollTop: 0, height: lastHeight ?? innerHeight * usualShare, rowHeight, count };
    return inSight({ ...top, scrollTop: scrollTopFor(cursor, top) });
  });
  const latest = useRef(drawn);
  const isUp = useRef(false);
  const start = useRef(cursor);

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
    const look = () => {
      const view = viewOf(element);
      if (view.height > 0) lastHeight = view.height;
      if (!covers(latest.current, view)) return read();
      stop ??= afterFrame(read);
    };
    const measure = () => {
      element.toggleAttribute('data-over', element.scrollWidth > element.clientWidth);
      look();
    };
    // When it comes up it is measured as it is laid out, which is not done twice.
    if (isUp.current) look();
    else if (start.current > 0) element.scrollTop = scrollTopFor(start.current, viewOf(element));
    isUp.current = true;
    element.addEventListener('scroll', look, { passive: true });
    const size = new ResizeObserver(measure);
    size.observe(element);
    if (element.firstElementChild) size.observe(element.firstElementChild); // as wide as its columns
    return () => {
      stop?.();
      element.removeEventListener('scroll', look);
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
