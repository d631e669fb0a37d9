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

const maxZoom = 8;
const step = 1.5;

/** Arrows change the picture, + and − zoom, C copies, Esc closes. Buttons do the same. */
export function Lightbox() {
  const openLightbox = useStore($lightbox);
  if (!openLightbox) return null;
  const { pictures, at } = openLightbox;
  const showNext = (delta: number) => $lightbox.set({ pictures, at: (at + delta + pictures.length) % pictures.length });
  // The key resets zoom and position for each picture.
  return <LightboxContent key={at} pictures={pictures} at={at} go={showNext} close={() => $lightbox.set(null)} />;
}

interface LightboxContentProps {
  pictures: readonly string[];
  at: number;
  go: (delta: number) => void;
  close: () => void;
}

function LightboxContent({ pictures, at, go, close }: LightboxContentProps) {
  const [zoom, setZoom] = useState(1);
  const hasMany = pictures.length > 1;
  const src = pictures[at] ?? '';
  const scrollElement = useRef<HTMLDivElement>(null);
  const changeZoom = (delta: number) => setZoom((previousZoom) => Math.min(maxZoom, Math.max(1, previousZoom * delta)));
  usePreloadedNeighbors(pictures, at);
  // Zooms around the visible center.
  const center = useRef({ x: 0.5, y: 0.5 });
  useEffect(() => {
    const box = scrollElement.current;
    if (!box) return;
    box.scrollLeft = center.current.x * box.scrollWidth - box.clientWidth / 2;
    box.scrollTop = center.current.y * box.scrollHeight - box.clientHeight / 2;
  }, [zoom]);
  const recordCenter = () => {
    const box = scrollElement.current;
    if (!box) return;
    center.current = {
      x: (box.scrollLeft + box.clientWidth / 2) / box.scrollWidth,
      y: (box.scrollTop + box.clientHeight / 2) / box.scrollHeight,
    };
  };

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing || event.altKey) return;
    const action = keyAction(event);
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  }
  function keyAction({ key, ctrlKey, metaKey }: KeyboardEvent): (() => void) | null {
    if (key === 'c') return () => void copyPicture(src);
    if (ctrlKey || metaKey) return null;
    const [nextKey, previousKey] = document.dir === 'rtl' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft'];
    const createPan = (x: number, y: number) => () => scrollElement.current?.scrollBy({ left: x, top: y });
    if (key === '+' || key === '=') return () => changeZoom(step);
    if (key === '-') return () => changeZoom(1 / step);
    if (key === '0') return () => setZoom(1);
    if (hasMany && (key === 'j' || (key === nextKey && zoom === 1))) return () => go(1);
    if (hasMany && (key === 'k' || (key === previousKey && zoom === 1))) return () => go(-1);
    if (zoom === 1) return null;
    const panStep = 80;
    if (key === 'ArrowRight') return createPan(panStep, 0);
    if (key === 'ArrowLeft') return createPan(-panStep, 0);
    if (key === 'ArrowDown') return createPan(0, panStep);
    return key === 'ArrowUp' ? createPan(0, -panStep) : null;
  }
  const title = hasMany ? t('pictures.titleOf', { n: at + 1, of: pictures.length }) : t('pictures.title');
  return (
    <HeadlessDialog open onClose={close} className="fixed inset-0 z-40" onKeyDown={onKeyDown}>
      <div className="fixed inset-0 bg-canvas" aria-hidden="true" />
      <DialogPanel data-lightbox className="fixed inset-0 flex flex-col text-1">
        <div className="flex min-h-bar flex-wrap items-center gap-1 px-4 py-1.5">
          <DialogTitle className="me-auto text-label font-medium tabular-nums">{title}</DialogTitle>
          <LightboxAction label={t('pictures.smaller')} keys="-" off={zoom === 1} act={() => changeZoom(1 / step)}>
            <ZoomOut size={16} aria-hidden="true" />
          </LightboxAction>
          <Button look="ghost" keys="0" className="tabular-nums" aria-label={t('pictures.fit')} onClick={() => setZoom(1)}>
            {withUnit(String(Math.round(zoom * 100)), '%')}
          </Button>
          <LightboxAction label={t('pictures.larger')} keys="+" off={zoom === maxZoom} act={() => changeZoom(step)}>
            <ZoomIn size={16} aria-hidden="true" />
          </LightboxAction>
          <LightboxAction label={t('pictures.copy')} keys="c" act={() => void copyPicture(src)}>
            <Copy size={16} aria-hidden="true" />
          </LightboxAction>
          <LightboxAction label={t('common.close')} keys="escape" act={close}>
            <X size={16} aria-hidden="true" />
          </LightboxAction>
        </div>
        <div className="relative min-h-0 flex-1">
          <div
            ref={scrollElement}
            data-zoom={Math.round(zoom * 100)}
            className={`h-full overflow-auto overscroll-contain ${zoom > 1 ? 'cursor-grab active:cursor-grabbing' : ''}`}
            onScroll={recordCenter}
            onWheel={({ ctrlKey, deltaY }) => ctrlKey && changeZoom(deltaY < 0 ? step : 1 / step)}
            onDoubleClick={() => setZoom(zoom === 1 ? step * step : 1)}
            onPointerDown={(event) => zoom > 1 && startDrag(event)}
          >
            <div style={{ width: `${zoom * 100}%`, height: `${zoom * 100}%` }} className="select-none">
              <SafeImage src={parseHttpUrl(src)} alt={title} className="h-full w-full border-0! bg-transparent!" fit="contain" />
            </div>
          </div>
          {hasMany && (
            <>
              <LightboxAction
                label={t('pictures.previous')}
                keys="left"
                act={() => go(-1)}
                className="absolute inset-y-0 start-3 my-auto h-9! w-9! bg-overlay! text-1! shadow-menu"
              >
                <ChevronLeft size={20} aria-hidden="true" className="flip-rtl" />
              </LightboxAction>
              <LightboxAction
                label={t('pictures.next')}
                keys="right"
                act={() => go(1)}
                className="absolute inset-y-0 end-3 my-auto h-9! w-9! bg-overlay! text-1! shadow-menu"
              >
                <ChevronRight size={20} aria-hidden="true" className="flip-rtl" />
              </LightboxAction>
            </>
          )}
        </div>
      </DialogPanel>
    </HeadlessDialog>
  );
}

interface LightboxActionProps {
  label: string;
  keys: string;
  act: () => void;
  off?: boolean;
  className?: string;
  children: ReactNode;
}

const LightboxAction = ({ label, keys, act, off = false, className = '', children }: LightboxActionProps) => (
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
function usePreloadedNeighbors(pictures: readonly string[], index: number) {
  useEffect(() => {
    for (const src of [pictures[index + 1], pictures[index - 1]]) {
      const url = src === undefined ? null : parseHttpUrl(src);
      if (url === null) continue;
      const image = new Image();
      image.referrerPolicy = 'no-referrer';
      image.src = url;
    }
  }, [pictures, index]);
}

/** Pans by mouse. Touch scrolls natively. */
function startDrag(event: PointerEvent<HTMLDivElement>) {
  if (event.pointerType !== 'mouse' || event.button !== 0) return;
  const box = event.currentTarget;
  event.preventDefault(); // otherwise the browser drags the picture
  const onPointerMove = ({ movementX, movementY }: globalThis.PointerEvent) => box.scrollBy(-movementX, -movementY);
  const endDrag = () => {
    removeEventListener('pointermove', onPointerMove);
    removeEventListener('pointerup', endDrag);
    removeEventListener('pointercancel', endDrag);
  };
  addEventListener('pointermove', onPointerMove);
  addEventListener('pointerup', endDrag);
  addEventListener('pointercancel', endDrag);
}
