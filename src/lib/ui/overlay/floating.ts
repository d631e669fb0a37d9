/** A box in viewport pixels. */
interface Box {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

interface Room {
  width: number;
  height: number;
  /** Size of what floats. */
  floating: { width: number; height: number };
  rtl: boolean;
}

const gap = 4;
const margin = 8;

/**
 * Where something floats beside its opener: below it, above where there is no room below,
 * its start or end edge in line with the opener's, and always inside the window.
 */
export function placeFloating(
  opener: Box,
  align: 'start' | 'end',
  { width, height, floating, rtl }: Room,
): { top: number; left: number } {
  const below = opener.bottom + gap;
  const fitsBelow = below + floating.height + margin <= height;
  const top = fitsBelow ? below : Math.max(margin, opener.top - gap - floating.height);
  const atLeft = (align === 'start') !== rtl;
  const left = atLeft ? opener.left : opener.right - floating.width;
  return { top, left: Math.max(margin, Math.min(left, width - margin - floating.width)) };
}

/** Moves a popover that is open beside its opener. Through the CSSOM: the content policy allows no style attribute in HTML. */
export function floatBeside(popover: HTMLElement, opener: Element, align: 'start' | 'end'): void {
  const { top, left } = placeFloating(opener.getBoundingClientRect(), align, {
    width: document.documentElement.clientWidth,
    height: document.documentElement.clientHeight,
    floating: { width: popover.offsetWidth, height: popover.offsetHeight },
    rtl: getComputedStyle(opener).direction === 'rtl',
  });
  popover.style.top = `${top}px`;
  popover.style.left = `${left}px`;
}
