import type { KeyboardEvent, PointerEvent, RefObject } from 'react';
import { t } from '../../i18n/i18n.ts';
import { readStored, writeStored } from '../../prefs/storage.ts';

const key = 'prefs.peek';
const defaultWidth = 480;
const min = 320;
/** Minimum width of the list, in pixels. */
const minListWidth = 400;
const widthStep = 32;

/** What the list and the record share, without the sidebar. */
function sharedWidth(): number {
  const mainElement = document.querySelector('main');
  const frameRect = mainElement?.parentElement?.getBoundingClientRect();
  if (!mainElement || !frameRect) return 0;
  const { left, right } = mainElement.getBoundingClientRect();
  return document.dir === 'rtl' ? right - frameRect.left : frameRect.right - left;
}

const max = (): number => Math.max(min, sharedWidth() - minListWidth);
const clampWidth = (width: number): number => Math.round(Math.max(min, Math.min(max(), width)));

/** The stored width in pixels. */
export const storedWidth = (): number => clampWidth(Number(readStored(key)) || defaultWidth);

interface EdgeProps {
  width: number;
  onChange: (width: number) => void;
  panel: RefObject<HTMLElement | null>;
}

/** Drag or use the arrows. A double click restores the default. */
export function ResizeEdge({ width, onChange, panel }: EdgeProps) {
  const storeWidth = (nextWidth: number) => {
    onChange(clampWidth(nextWidth));
    writeStored(key, nextWidth === defaultWidth ? null : String(clampWidth(nextWidth)));
  };
  function onPointerDown(event: PointerEvent<HTMLElement>) {
    const [edgeElement, { clientX: startX }] = [event.currentTarget, event];
    const directionSign = document.dir === 'rtl' ? 1 : -1;
    event.preventDefault();
    edgeElement.setPointerCapture(event.pointerId);
    const widthAtPointer = ({ clientX }: { clientX: number }) => clampWidth(width + directionSign * (clientX - startX));
    // Bypasses React while dragging, so that the panel does not rerender.
    edgeElement.onpointermove = (moveEvent) => panel.current?.style.setProperty('width', `${widthAtPointer(moveEvent)}px`);
    edgeElement.onpointerup = (upEvent) => {
      edgeElement.onpointermove = edgeElement.onpointerup = null;
      if (upEvent.clientX !== startX) storeWidth(widthAtPointer(upEvent));
    };
  }
  function onKeyDown(event: KeyboardEvent) {
    const widenKey = document.dir === 'rtl' ? 'ArrowRight' : 'ArrowLeft';
    const widthsByKey = {
      [widenKey]: width + widthStep,
      [widenKey === 'ArrowLeft' ? 'ArrowRight' : 'ArrowLeft']: width - widthStep,
      Home: min,
      End: max(),
    };
    const nextWidth = widthsByKey[event.key];
    if (nextWidth === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    storeWidth(nextWidth);
  }
  return (
    // ARIA's window splitter is focusable and interactive.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={t('record.edge')}
      aria-valuenow={width}
      aria-valuemin={min}
      aria-valuemax={max()}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="ring-inside absolute inset-y-0 -start-1 z-10 w-2 cursor-col-resize touch-none hover:bg-focus/40 focus-visible:bg-focus/40"
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
      onDoubleClick={() => storeWidth(defaultWidth)}
    />
  );
}
