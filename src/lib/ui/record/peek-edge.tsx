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
  const main = document.querySelector('main');
  const frame = main?.parentElement?.getBoundingClientRect();
  if (!main || !frame) return 0;
  const { left, right } = main.getBoundingClientRect();
  return document.dir === 'rtl' ? right - frame.left : frame.right - left;
}

const max = (): number => Math.max(min, sharedWidth() - minListWidth);
const clamp = (width: number): number => Math.round(Math.max(min, Math.min(max(), width)));

/** The stored width in pixels. */
export const storedWidth = (): number => clamp(Number(readStored(key)) || defaultWidth);

interface EdgeProps {
  width: number;
  onChange: (width: number) => void;
  panel: RefObject<HTMLElement | null>;
}

/** Drag or use the arrows. A double click restores the default. */
export function ResizeEdge({ width, onChange, panel }: EdgeProps) {
  const keep = (next: number) => {
    onChange(clamp(next));
    writeStored(key, next === defaultWidth ? null : String(clamp(next)));
  };
  function onPointerDown(event: PointerEvent<HTMLElement>) {
    const [edge, { clientX: from }] = [event.currentTarget, event];
    const sign = document.dir === 'rtl' ? 1 : -1;
    event.preventDefault();
    edge.setPointerCapture(event.pointerId);
    const widthAt = ({ clientX }: { clientX: number }) => clamp(width + sign * (clientX - from));
    // Bypasses React while dragging, so that the panel does not rerender.
    edge.onpointermove = (moved) => panel.current?.style.setProperty('width', `${widthAt(moved)}px`);
    edge.onpointerup = (up) => {
      edge.onpointermove = edge.onpointerup = null;
      if (up.clientX !== from) keep(widthAt(up));
    };
  }
  function onKeyDown(event: KeyboardEvent) {
    const out = document.dir === 'rtl' ? 'ArrowRight' : 'ArrowLeft';
    const to = {
      [out]: width + widthStep,
      [out === 'ArrowLeft' ? 'ArrowRight' : 'ArrowLeft']: width - widthStep,
      Home: min,
      End: max(),
    };
    const next = to[event.key];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    keep(next);
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
      onDoubleClick={() => keep(defaultWidth)}
    />
  );
}
