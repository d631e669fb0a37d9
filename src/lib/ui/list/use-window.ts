import { useCallback, useLayoutEffect, useRef, useState, type RefObject } from 'react';

/** Rows are added in steps, so that moving row by row rarely renders. */
const stride = 4;
/** Pixels of the previous list, used before the new one is measured. */
let lastHeight: number | null = null;
/** Estimated share of the window for a first list. */
const defaultShare = 0.85;
/** Milliseconds until rows out of sight render even on a busy page. */
const timeoutMs = 100;

interface WindowView {
  scrollTop: number;
  /** Pixels without the sticky header. */
  height: number;
  rowHeight: number;
  count: number;
}

/** `end` is exclusive. */
interface RowSpan {
  first: number;
  end: number;
}

const clampSpan = (first: number, end: number, count: number): RowSpan => ({
  first: Math.max(0, Math.min(first, count)),
  end: Math.max(0, Math.min(end, count)),
});

export function computeWindow({ scrollTop, height, rowHeight, count }: WindowView): RowSpan {
  const firstVisible = Math.floor(scrollTop / rowHeight / stride) * stride;
  return clampSpan(firstVisible - stride, firstVisible + Math.ceil(height / rowHeight) + 2 * stride, count);
}

/** Includes partly visible ones. */
const visibleSpan = ({ scrollTop, height, rowHeight, count }: WindowView): RowSpan =>
  clampSpan(Math.floor(scrollTop / rowHeight), Math.ceil((scrollTop + height) / rowHeight), count);

export function isViewCovered({ first, end }: RowSpan, view: WindowView): boolean {
  const visibleRows = visibleSpan(view);
  return first <= visibleRows.first && visibleRows.end <= end;
}

/** -1: no row. */
export function scrollTopToReveal(index: number, { scrollTop, height, rowHeight }: WindowView): number {
  const rowTop = index * rowHeight;
  if (index < 0) return scrollTop;
  if (rowTop < scrollTop) return rowTop;
  return rowTop + rowHeight > scrollTop + height ? rowTop + rowHeight - height : scrollTop;
}

/** Equal row heights make arithmetic enough, without a measuring library. */
export function useWindow(
  scrollElementRef: RefObject<HTMLElement | null>,
  rows: { count: number; rowHeight: number; headHeight: number; cursor: number },
) {
  const { count, rowHeight, headHeight, cursor } = rows;
  const [renderedSpan, setRenderedSpan] = useState(() => {
    const initialView = { scrollTop: 0, height: lastHeight ?? innerHeight * defaultShare, rowHeight, count };
    return visibleSpan({ ...initialView, scrollTop: scrollTopToReveal(cursor, initialView) });
  });
  const latestSpan = useRef(renderedSpan);
  const isScrollingUp = useRef(false);
  const start = useRef(cursor);

  const readView = useCallback(
    (element: HTMLElement): WindowView => ({
      scrollTop: element.scrollTop,
      height: element.clientHeight - headHeight,
      rowHeight,
      count,
    }),
    [count, rowHeight, headHeight],
  );

  useLayoutEffect(() => {
    const element = scrollElementRef.current;
    if (!element) return;
    let cancelFrame: (() => void) | null = null;
    const updateWindow = () => {
      cancelFrame?.();
      cancelFrame = null;
      const nextSpan = computeWindow(readView(element));
      if (latestSpan.current.first === nextSpan.first && latestSpan.current.end === nextSpan.end) return;
      latestSpan.current = nextSpan;
      setRenderedSpan(nextSpan);
    };
    const updateView = () => {
      const view = readView(element);
      if (view.height > 0) lastHeight = view.height;
      if (!isViewCovered(latestSpan.current, view)) return updateWindow();
      cancelFrame ??= runAfterFrame(updateWindow);
    };
    const measureHeight = () => {
      element.toggleAttribute('data-over', element.scrollWidth > element.clientWidth);
      updateView();
    };
    // Avoids measuring the layout twice.
    if (isScrollingUp.current) updateView();
    else if (start.current > 0) element.scrollTop = scrollTopToReveal(start.current, readView(element));
    isScrollingUp.current = true;
    element.addEventListener('scroll', updateView, { passive: true });
    const size = new ResizeObserver(measureHeight);
    size.observe(element);
    if (element.firstElementChild) size.observe(element.firstElementChild);
    return () => {
      cancelFrame?.();
      element.removeEventListener('scroll', updateView);
      size.disconnect();
    };
  }, [scrollElementRef, readView]);

  const scrollToIndex = useCallback(
    (index: number) => {
      const element = scrollElementRef.current;
      if (element) element.scrollTop = scrollTopToReveal(index, readView(element));
    },
    [scrollElementRef, readView],
  );

  return { ...renderedSpan, reveal: scrollToIndex };
}

/** Returns a function that cancels it. */
function runAfterFrame(run: () => void): () => void {
  // Safari lacks requestIdleCallback.
  if (!window.requestIdleCallback) {
    const timer = setTimeout(run, timeoutMs);
    return () => clearTimeout(timer);
  }
  const idleHandle = requestIdleCallback(run, { timeout: timeoutMs });
  return () => cancelIdleCallback(idleHandle);
}
