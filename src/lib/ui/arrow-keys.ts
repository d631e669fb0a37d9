import type { KeyboardEvent } from 'react';
import { pressKey } from './overlay/press-key.ts';

const mirroredKeys: Readonly<Record<string, string>> = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' };

/** Use as `onKeyDownCapture`: Headless UI's radios and tabs react to arrows with modifiers, and ignore right-to-left. */
export function mirrorArrowKeys(event: KeyboardEvent): void {
  if (!event.key.startsWith('Arrow') || !event.isTrusted) return;
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return event.stopPropagation();
  const mirroredKey = document.dir === 'rtl' ? mirroredKeys[event.key] : undefined;
  if (!mirroredKey || !(event.target instanceof Element)) return;
  event.preventDefault();
  event.stopPropagation();
  pressKey(event.target, mirroredKey);
}
