import type { Column } from './columns.ts';

interface Extent {
  left: number;
  right: number;
}

interface VisibleExtent extends Extent {
  /** Widest extent that scrolling can show whole. */
  room: number;
}

/** True if an edge of `visibleRange` cuts the extent, and scrolling could show all of it. */
export const isColumnCut = ({ left, right }: Extent, visibleRange: VisibleExtent): boolean =>
  right - left <= visibleRange.room &&
  left < visibleRange.right - 0.5 &&
  right > visibleRange.left + 0.5 &&
  (left < visibleRange.left - 0.5 || right > visibleRange.right + 0.5);

const minTextWidth = 64;
/** In pixels: a scroll bar may be at that side. */
const stuckTolerance = 20;

const visibleWidth = ({ left, right }: Extent, visibleRange: Extent): number =>
  Math.min(right, visibleRange.right) - Math.max(left, visibleRange.left);

/** Hides figures, times and chips that the edge of the list or a pinned column cuts: half a figure is another figure. Shortens text with dots, or hides it if only a few letters remain. */
export function watchColumns(grid: HTMLElement, columns: readonly Column<never>[]): () => void {
  let previousStyle = '';
  let hadRows = false;
  const hasRows = () => grid.querySelector('[data-column]') !== null;
  const updateColumns = () => {
    hadRows = hasRows();
    const currentLayout = `${grid.scrollLeft} ${grid.clientWidth} ${grid.scrollWidth} ${grid.hasAttribute('data-over')} ${hadRows}`;
    if (currentLayout === previousStyle) return;
    previousStyle = currentLayout;
    const visibleRange = visibleExtent(grid);
    const isRtl = document.dir === 'rtl';
    const wholeExtent = isRtl ? { ...visibleRange, right: Infinity } : { ...visibleRange, left: -Infinity };
    for (const { id, align } of columns) {
      const headerCell = grid.querySelector(`[data-head="${id}"]`);
      const isNumericColumn = align === 'end' || grid.querySelector(`[data-column="${id}"] :is(time, [data-chip])`) !== null;
      const extent = headerCell?.getBoundingClientRect();
      const isPinned = headerCell !== null && getComputedStyle(headerCell).position === 'sticky';
      const isHidden =
        !isPinned &&
        extent !== undefined &&
        isColumnCut(extent, visibleRange) &&
        (isNumericColumn || visibleWidth(extent, visibleRange) < minTextWidth);
      if (isHidden) grid.style.setProperty(`--see-${id}`, '0');
      else grid.style.removeProperty(`--see-${id}`);
      const isEndCut =
        extent !== undefined && (isRtl ? extent.left < visibleRange.left - 0.5 : extent.right > visibleRange.right + 0.5);
      if (isEndCut && !isHidden && (isPinned || !isNumericColumn))
        grid.style.setProperty(`--fit-${id}`, `${visibleWidth(extent, isPinned ? wholeExtent : visibleRange)}px`);
      else grid.style.removeProperty(`--fit-${id}`);
    }
  };
  updateColumns();
  grid.addEventListener('scroll', updateColumns, { passive: true });
  const observer = new ResizeObserver(updateColumns);
  observer.observe(grid);
  if (grid.firstElementChild) observer.observe(grid.firstElementChild); // as wide as its columns
  const pinObserver = new MutationObserver(updateColumns);
  pinObserver.observe(grid, { attributeFilter: ['data-over'] });
  // Only rows show that a column has times or chips. There are none while the list is below the screen.
  const rowObserver = new MutationObserver(() => hasRows() !== hadRows && updateColumns());
  rowObserver.observe(grid, { childList: true, subtree: true });
  return () => {
    observer.disconnect();
    pinObserver.disconnect();
    rowObserver.disconnect();
    grid.removeEventListener('scroll', updateColumns);
  };
}

/** Between the pinned columns. */
function visibleExtent(grid: HTMLElement): VisibleExtent {
  const { left } = grid.getBoundingClientRect();
  const isRtl = document.dir === 'rtl';
  const visibleRange = { left, right: left + grid.clientWidth, room: grid.clientWidth };
  for (const headerCell of grid.querySelectorAll('[role="columnheader"]')) {
    if (getComputedStyle(headerCell).position !== 'sticky') continue;
    const box = headerCell.getBoundingClientRect();
    const isAtStart = headerCell.matches('[data-head], :has(input)');
    const gap = isAtStart === isRtl ? visibleRange.right - box.right : box.left - visibleRange.left;
    if (isAtStart && gap > stuckTolerance) continue; // not scrolled over yet
    visibleRange.room -= box.width;
    if (isAtStart === isRtl) visibleRange.right = Math.min(visibleRange.right, box.left);
    else visibleRange.left = Math.max(visibleRange.left, box.right);
  }
  return visibleRange;
}
