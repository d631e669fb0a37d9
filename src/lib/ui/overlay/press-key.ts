import type { MouseEvent } from 'react';

export function pressKey(element: Element, key: string): void {
  element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
}

/** After a mouse press, Headless UI ignores clicks without a pointer, which our grid and assistive technology send. */
export function openByClick(event: MouseEvent, button: HTMLElement | null): void {
  if (event.detail > 0 || !button || button.ariaExpanded === 'true') return;
  event.preventDefault();
  pressKey(button, 'ArrowDown');
}
