import { Dialog as HeadlessDialog, DialogPanel, DialogTitle } from '@headlessui/react';
import { useStore } from '@nanostores/react';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import Copy from 'lucide-react/icons/copy';
import X from 'lucide-react/icons/x';
import ZoomIn from 'lucide-react/icons/zoom-in';
import ZoomOut from 'lucide-react/icons/zoom-out';
import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import { parseHttpUrl } from '../../../../api/url.ts';
import { copyPicture } from '../../copy-picture.ts';
import { withUnit } from '../../format.ts';
import { t } from '../../i18n/i18n.ts';
import { $lightbox } from './lightbox-store.ts';
import { Button, IconButton } from '../button.tsx';
import { SafeImage } from '../value/picture.tsx';

const largest = 8;
const step = 1.5;

/** Arrows change the picture, + and − zoom, C copies, Esc closes. Buttons do the same. */
export function Lightbox() {
  const open = useStore($lightbox);
  if (!open) return null;
  const { pictures, at } = open;
  const go = (by: number) => $lightbox.set({ pictures, at: (at + by + pictures.length) % pictures.length });
  // The key resets zoom and position for each picture.
  return <Shown key={at} pictures={pictures} at={at} go={go} close={() => $lightbox.set(null)} />;
}

interface ShownProps {
  pictures: readonly string[];
  at: number;
  go: (by: number) => void;
  close: () => void;
}

function Shown({ pictures, at, go, close }: ShownProps) {
  const [zoom, setZoom] = useState(1);
  const many = pictures.length > 1;
  const src = pictures[at] ?? '';
  const scroller = useRef<HTMLDivElement>(null);
  const resize = (by: number) => setZoom((before) => Math.min(largest, Math.max(1, before * by)));
  usePreloadedNeighbors(pictures, at);
  // Zooms around the visible center.
  const middle = useRef({ x: 0.5, y: 0.5 });
  useEffect(() => {
    const box = scroller.current;
    if (!box) return;
    box.scrollLeft = middle.current.x * box.scrollWidth - box.clientWidth / 2;
    box.scrollTop = middle.current.y * box.scrollHeight - box.clientHeight / 2;
  }, [zoom]);
  const noteMiddle = () => {
    const box = scroller.current;
    if (!box) return;
    middle.current = {
      x: (box.scrollLeft + box.clientWidth / 2) / box.scrollWidth,
      y: (box.scrollTop + box.clientHeight / 2) / box.scrollHeight,
    };
  };

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing || event.altKey) return;
    const act = actOf(event);
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }
  function actOf({ key, ctrlKey, metaKey }: KeyboardEvent): (() => void) | null {
    if (key === 'c') return () => void copyPicture(src);
    if (ctrlKey || metaKey) return null;
    const [forward, back] = document.dir === 'rtl' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft'];
    const pan = (x: number, y: number) => () => scroller.current?.scrollBy({ left: x, top: y });
    if (key === '+' || key === '=') return () => resize(step);
    if (key === '-') return () => resize(1 / step);
    if (key === '0') return () => setZoom(1);
    if (many && (key === 'j' || (key === forward && zoom === 1))) return () => go(1);
    if (many && (key === 'k' || (key === back && zoom === 1))) return () => go(-1);
    if (zoom === 1) return null;
    const far = 80;
    if (key === 'ArrowRight') return pan(far, 0);
    if (key === 'ArrowLeft') return pan(-far, 0);
    if (key === 'ArrowDown') return pan(0, far);
    return key === 'ArrowUp' ? pan(0, -far) : null;
  }
  const title = many ? t('pictures.titleOf', { n: at + 1, of: pictures.length }) : t('pictures.title');
  return (
    <HeadlessDialog open onClose={close} className="fixed inset-0 z-40" onKeyDown={onKeyDown}>
      <div className="fixed inset-0 bg-canvas" aria-hidden="true" />
      <DialogPanel data-lightbox className="fixed inset-0 flex flex-col text-1">
        <div className="flex min-h-bar flex-wrap items-center gap-1 px-4 py-1.5">
          <DialogTitle className="me-auto text-label font-medium tabular-nums">{title}</DialogTitle>
          <Act label={t('pictures.smaller')} keys="-" off={zoom === 1} act={() => resize(1 / step)}>
            <ZoomOut size={16} aria-hidden="true" />
          </Act>
          <Button look="ghost" keys="0" className="tabular-nums" aria-label={t('pictures.fit')} onClick={() => setZoom(1)}>
            {withUnit(String(Math.round(zoom * 100)), '%')}
          </Button>
          <Act label={t('pictures.larger')} keys="+" off={zoom === largest} act={() => resize(step)}>
            <ZoomIn size={16} aria-hidden="true" />
          </Act>
          <Act label={t('pictures.copy')} keys="c" act={() => void copyPicture(src)}>
            <Copy size={16} aria-hidden="true" />
          </Act>
          <Act label={t('common.close')} keys="escape" act={close}>
            <X size={16} aria-hidden="true" />
          </Act>
        </div>
        <div className="relative min-h-0 flex-1">
          <div
            ref={scroller}
            data-zoom={Math.round(zoom * 100)}
            className={`h-full overflow-auto overscroll-contain ${zoom > 1 ? 'cursor-grab active:cursor-grabbing' : ''}`}
            onScroll={noteMiddle}
            onWheel={({ ctrlKey, deltaY }) => ctrlKey && resize(deltaY < 0 ? step : 1 / step)}
            onDoubleClick={() => setZoom(zoom === 1 ? step * step : 1)}
            onPointerDown={(event) => zoom > 1 && drag(event)}
          >
            <div style={{ width: `${zoom * 100}%`, height: `${zoom * 100}%` }} className="select-none">
              <SafeImage src={parseHttpUrl(src)} alt={title} className="h-full w-full border-0! bg-transparent!" fit="contain" />
            </div>
          </div>
          {many && (
            <>
              <Act
                label={t('pictures.previous')}
                keys="left"
                act={() => go(-1)}
                className="absolute inset-y-0 start-3 my-auto h-9! w-9! bg-overlay! text-1! shadow-menu"
              >
                <ChevronLeft size={20} aria-hidden="true" className="flip-rtl" />
              </Act>
              <Act
                label={t('pictures.next')}
                keys="right"
                act={() => go(1)}
                className="absolute inset-y-0 end-3 my-auto h-9! w-9! bg-overlay! text-1! shadow-menu"
              >
                <ChevronRight size={20} aria-hidden="true" className="flip-rtl" />
              </Act>
            </>
          )}
        </div>
      </DialogPanel>
    </HeadlessDialog>
  );
}

interface ActProps {
  label: string;
  keys: string;
  act: () => void;
  off?: boolean;
  className?: string;
  children: ReactNode;
}

const Act = ({ label, keys, act, off = false, className = '', children }: ActProps) => (
  <IconButton
    label={label}
    data-tip-keys={keys}
    icon={children}
    className={className}
    aria-disabled={off || undefined}
    onClick={act}
  />
);

/** Preloads the neighboring pictures. */
function usePreloadedNeighbors(pictures: readonly string[], at: number) {
  useEffect(() => {
    for (const src of [pictures[at + 1], pictures[at - 1]]) {
      const url = src === undefined ? null : parseHttpUrl(src);
      if (url === null) continue;
      const image = new Image();
      image.referrerPolicy = 'no-referrer';
      image.src = url;
    }
  }, [pictures, at]);
}

/** Pans by mouse. Touch scrolls natively. */
function drag(event: PointerEvent<HTMLDivElement>) {
  if (event.pointerType !== 'mouse' || event.button !== 0) return;
  const box = event.currentTarget;
  event.preventDefault(); // otherwise the browser drags the picture
  const move = ({ movementX, movementY }: globalThis.PointerEvent) => box.scrollBy(-movementX, -movementY);
  const end = () => {
    removeEventListener('pointermove', move);
    removeEventListener('pointerup', end);
    removeEventListener('pointercancel', end);
  };
  addEventListener('pointermove', move);
  addEventListener('pointerup', end);
  addEventListener('pointercancel', end);
}
