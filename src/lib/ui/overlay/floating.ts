/** Viewport pixels. */
interface OpenerBox {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

interface FloatingBounds {
  width: number;
  height: number;
  floating: { width: number; height: number };
  rtl: boolean;
}

const gapPx = 4;
const margin = 8;

/** Below the opener, or above if there is no room, aligned with its start or end edge, and inside the window. */
export function placeFloating(
  opener: OpenerBox,
  align: 'start' | 'end',
  { width, height, floating, rtl }: FloatingBounds,
): { top: number; left: number } {
  const topBelow = opener.bottom + gapPx;
  const hasSpaceBelow = topBelow + floating.height + margin <= height;
  const top = hasSpaceBelow ? topBelow : Math.max(margin, opener.top - gapPx - floating.height);
  const isAlignedLeft = (align === 'start') !== rtl;
  const left = isAlignedLeft ? opener.left : opener.right - floating.width;
  return { top, left: Math.max(margin, Math.min(left, width - margin - floating.width)) };
}

/** Sets styles through the CSSOM, because the content policy forbids style attributes. */
export function positionBeside(popover: HTMLElement, opener: Element, align: 'start' | 'end'): void {
  const { top, left } = placeFloating(opener.getBoundingClientRect(), align, {
    width: document.documentElement.clientWidth,
    height: document.documentElement.clientHeight,
    floating: { width: popover.offsetWidth, height: popover.offsetHeight },
    rtl: getComputedStyle(opener).direction === 'rtl',
  });
  popover.style.top = `${top}px`;
  popover.style.left = `${left}px`;
}
