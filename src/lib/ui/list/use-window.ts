import { useCallback, useLayoutEffect, useRef, useState, type RefObject } from 'react';

/** Rows are added in steps, so that moving row by row rarely renders. */
const stride = 4;
/** Pixels of the previous list, used before the new one is measured. */
let lastHeight: number | null = null;
/** Estimated share of the window for a first list. */
const defaultShare = 0.85;
/** Milliseconds until rows out of sight render even on a busy page. */
const timeoutMs = 100;

interface View {
  scrollTop: number;
  /** Pixels without the sticky header. */
  height: number;
  rowHeight: number;
  count: number;
}

/** `end` is exclusive. */
interface Span {
  first: number;
  end: number;
}

const clampSpan = (first: number, end: number, count: number): Span => ({
  first: Math.max(0, Math.min(first, count)),
  end: Math.max(0, Math.min(end, count)),
});

export function windowOf({ scrollTop, height, rowHeight, count }: View): Span {
  const visible = Math.floor(scrollTop / rowHeight / stride) * stride;
  return clampSpan(visible - stride, visible + Math.ceil(height / rowHeight) + 2 * stride, count);
}

/** Includes partly visible ones. */
const visibleSpan = ({ scrollTop, height, rowHeight, count }: View): Span =>
  clampSpan(Math.floor(scrollTop / rowHeight), Math.ceil((scrollTop + height) / rowHeight), count);

export function isCovered({ first, end }: Span, view: View): boolean {
  const visible = visibleSpan(view);
  return first <= visible.first && visible.end <= end;
}

/** -1: no row. */
export function scrollTopFor(index: number, { scrollTop, height, rowHeight }: View): number {
  const top = index * rowHeight;
  if (index < 0) return scrollTop;
  if (top < scrollTop) return top;
  return top + rowHeight > scrollTop + height ? top + rowHeight - height : scrollTop;
}

/** Equal row heights make arithmetic enough, without a measuring library. */
export function useWindow(
  scroller: RefObject<HTMLElement | null>,
  rows: { count: number; rowHeight: number; headHeight: number; cursor: number },
) {
  const { count, rowHeight, headHeight, cursor } = rows;
  const [drawn, setDrawn] = useState(() => {
    const top = { scrollTop: 0, height: lastHeight ?? innerHeight * defaultShare, rowHeight, count };
    return visibleSpan({ ...top, scrollTop: scrollTopFor(cursor, top) });
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
    const updateView = () => {
      const view = viewOf(element);
      if (view.height > 0) lastHeight = view.height;
      if (!isCovered(latest.current, view)) return read();
      stop ??= afterFrame(read);
    };
    const measure = () => {
      element.toggleAttribute('data-over', element.scrollWidth > element.clientWidth);
      updateView();
    };
    // Avoids measuring the layout twice.
    if (isUp.current) updateView();
    else if (start.current > 0) element.scrollTop = scrollTopFor(start.current, viewOf(element));
    isUp.current = true;
    element.addEventListener('scroll', updateView, { passive: true });
    const size = new ResizeObserver(measure);
    size.observe(element);
    if (element.firstElementChild) size.observe(element.firstElementChild);
    return () => {
      stop?.();
      element.removeEventListener('scroll', updateView);
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

/** Returns a function that cancels it. */
function afterFrame(run: () => void): () => void {
  // Safari lacks requestIdleCallback.
  if (!window.requestIdleCallback) {
    const timer = setTimeout(run, timeoutMs);
    return () => clearTimeout(timer);
  }
  const idleHandle = requestIdleCallback(run, { timeout: timeoutMs });
  return () => cancelIdleCallback(idleHandle);
}
