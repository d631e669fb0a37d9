import type { Column } from './columns.ts';

interface Extent {
  left: number;
  right: number;
}

interface Visible extends Extent {
  /** Widest extent that scrolling can show whole. */
  room: number;
}

/** True if an edge of `visible` cuts the extent, and scrolling could show all of it. */
export const isCut = ({ left, right }: Extent, visible: Visible): boolean =>
  right - left <= visible.room &&
  left < visible.right - 0.5 &&
  right > visible.left + 0.5 &&
  (left < visible.left - 0.5 || right > visible.right + 0.5);

/** Hides figures, times and chips that the edge of the list or a pinned column cuts: half a figure is another figure. */
export function watchColumns(grid: HTMLElement, columns: readonly Column<never>[]): () => void {
  let seen = '';
  const update = () => {
    const now = `${grid.scrollLeft} ${grid.clientWidth} ${grid.scrollWidth} ${grid.hasAttribute('data-over')}`;
    if (now === seen) return;
    seen = now;
    const visible = visibleExtent(grid);
    for (const { id, align } of columns) {
      const head = grid.querySelector(`[data-head="${id}"]`);
      const isFigure = align === 'end' || grid.querySelector(`[data-column="${id}"] :is(time, [data-chip])`) !== null;
      const hides = isFigure && head !== null && isCut(head.getBoundingClientRect(), visible);
      if (hides) grid.style.setProperty(`--see-${id}`, '0');
      else grid.style.removeProperty(`--see-${id}`);
    }
  };
  update();
  grid.addEventListener('scroll', update, { passive: true });
  const observer = new ResizeObserver(update);
  observer.observe(grid);
  if (grid.firstElementChild) observer.observe(grid.firstElementChild); // as wide as its columns
  const pinning = new MutationObserver(update);
  pinning.observe(grid, { attributeFilter: ['data-over'] });
  return () => {
    observer.disconnect();
    pinning.disconnect();
    grid.removeEventListener('scroll', update);
  };
}

/** Between the pinned columns. */
function visibleExtent(grid: HTMLElement): Visible {
  const { left, width } = grid.getBoundingClientRect();
  const visible = { left, right: left + grid.clientWidth, room: grid.clientWidth };
  for (const head of grid.querySelectorAll('[role="columnheader"]')) {
    if (getComputedStyle(head).position !== 'sticky') continue;
    const box = head.getBoundingClientRect();
    visible.room -= box.width;
    if (box.left + box.right < 2 * left + width) visible.left = Math.max(visible.left, box.right);
    else visible.right = Math.min(visible.right, box.left);
  }
  return visible;
}
