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

interface WindowRows {
  count: number;
  rowHeight: number;
  headHeight: number;
  cursor: number;
  /** See `WholeList`. */
  isWhole: boolean;
}

/** Equal row heights make arithmetic enough, without a measuring library. */
export function useWindow(gridRef: RefObject<HTMLElement | null>, rows: WindowRows) {
  const { count, rowHeight, headHeight, cursor, isWhole } = rows;
  const [renderedSpan, setRenderedSpan] = useState(() => {
    const initialView = { scrollTop: 0, height: lastHeight ?? innerHeight * defaultShare, rowHeight, count };
    return visibleSpan({ ...initialView, scrollTop: scrollTopToReveal(cursor, initialView) });
  });
  const latestSpan = useRef(renderedSpan);
  const isScrollingUp = useRef(false);
  const start = useRef(cursor);

  const scrollerOf = useCallback((grid: HTMLElement): HTMLElement => (isWhole && grid.closest('main')) || grid, [isWhole]);
  const readView = useCallback(
    (grid: HTMLElement): WindowView => {
      const scroller = scrollerOf(grid);
      const view = { scrollTop: grid.scrollTop, height: grid.clientHeight - headHeight, rowHeight, count };
      if (scroller === grid) return view;
      // Negative above the rows.
      const scrollTop = scroller.getBoundingClientRect().top - grid.getBoundingClientRect().top;
      const footHeight = grid.parentElement?.querySelector<HTMLElement>('[data-foot]')?.offsetHeight ?? 0;
      return { ...view, scrollTop, height: scroller.clientHeight - headHeight - footHeight };
    },
    [scrollerOf, count, rowHeight, headHeight],
  );
  const scrollTo = useCallback(
    (grid: HTMLElement, { scrollTop }: Pick<WindowView, 'scrollTop'>, next: number) => {
      if (next !== scrollTop) scrollerOf(grid).scrollTop += next - scrollTop;
    },
    [scrollerOf],
  );

  useLayoutEffect(() => {
    const grid = gridRef.current;
    if (!grid) return;
    let cancelFrame: (() => void) | null = null;
    const updateWindow = () => {
      cancelFrame?.();
      cancelFrame = null;
      const nextSpan = computeWindow(readView(grid));
      if (latestSpan.current.first === nextSpan.first && latestSpan.current.end === nextSpan.end) return;
      latestSpan.current = nextSpan;
      setRenderedSpan(nextSpan);
    };
    const updateView = () => {
      const view = readView(grid);
      if (view.height > 0) lastHeight = view.height;
      if (!isViewCovered(latestSpan.current, view)) return updateWindow();
      cancelFrame ??= runAfterFrame(updateWindow);
    };
    const measureHeight = () => {
      grid.toggleAttribute('data-over', grid.scrollWidth > grid.clientWidth);
      updateView();
    };
    const startView = readView(grid);
    // Avoids measuring the layout twice.
    if (isScrollingUp.current) updateView();
    else if (start.current > 0) scrollTo(grid, startView, scrollTopToReveal(start.current, startView));
    isScrollingUp.current = true;
    const scroller = scrollerOf(grid);
    scroller.addEventListener('scroll', updateView, { passive: true });
    const size = new ResizeObserver(measureHeight);
    for (const element of new Set([grid, scroller, grid.firstElementChild])) if (element) size.observe(element);
    return () => {
      cancelFrame?.();
      scroller.removeEventListener('scroll', updateView);
      size.disconnect();
    };
  }, [gridRef, readView, scrollerOf, scrollTo]);

  const reveal = useCallback(
    (index: number) => {
      if (!gridRef.current) return;
      const view = readView(gridRef.current);
      scrollTo(gridRef.current, view, scrollTopToReveal(index, view));
    },
    [gridRef, readView, scrollTo],
  );
  const scrollToTop = useCallback(() => {
    if (!gridRef.current) return;
    const view = readView(gridRef.current);
    scrollTo(gridRef.current, view, Math.min(0, view.scrollTop));
  }, [gridRef, readView, scrollTo]);
  /** Rows in sight. */
  const countVisible = () => Math.floor(gridRef.current ? readView(gridRef.current).height / rowHeight : 0);

  return { ...renderedSpan, reveal, scrollToTop, countVisible };
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
