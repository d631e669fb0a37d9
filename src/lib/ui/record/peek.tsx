import Maximize2 from 'lucide-react/icons/maximize-2';
import Minimize2 from 'lucide-react/icons/minimize-2';
import X from 'lucide-react/icons/x';
import {
  useCallback,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { createPortal } from 'react-dom';
import { useSearch } from 'wouter';
import { t } from '../../i18n/i18n.ts';
import { $pendingCursor, $follower, $viewContexts, findListContext, type Target } from '../../scope.ts';
import { IconButton } from '../button.tsx';
import { Drawer } from '../overlay/drawer.tsx';
import { useElement } from '../use-element.ts';
import { Skeleton } from '../skeleton.tsx';
import { closeRecord, setFullScreen, RecordPanel } from './open-record.ts';
import { ResizeEdge, storedWidth } from './peek-edge.tsx';

/** Milliseconds, so that a held key does not load every record. */
const followDelayMs = 120;

const wideQuery = matchMedia('(min-width: 900px)');
const onWide = (onChange: () => void) => {
  wideQuery.addEventListener('change', onChange);
  return () => wideQuery.removeEventListener('change', onChange);
};

/** The record follows the list's cursor. */
export function Peek({ id, children }: { id: string; children: ReactNode }) {
  const isWide = useSyncExternalStore(onWide, () => wideQuery.matches);
  const container = useElement('peek');
  return isWide && container ? <PeekPanel {...{ id, place: container, children }} /> : children;
}

function PeekPanel({ id, place, children }: { id: string; place: HTMLElement; children: ReactNode }) {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const panel = useRef<HTMLDivElement>(null);
  const titleId = useId();
  const isFullScreenRecord = new URLSearchParams(useSearch()).has('whole');
  const [width, setWidth] = useState(storedWidth);
  useFollowing(id);

  useEffect(() => {
    findListContext($viewContexts.get())?.controls?.goTo?.(id);
  }, [id]);
  // Focus the panel only if nothing has focus, as after opening a link.
  useEffect(() => {
    if (document.activeElement === document.body) panel.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    const mainElement = document.querySelector('main');
    if (!mainElement || !isFullScreenRecord) return;
    mainElement.inert = true;
    panel.current?.focus({ preventScroll: true });
    return () => {
      mainElement.inert = false;
      focusList();
    };
  }, [isFullScreenRecord]);
  useLayoutEffect(() => {
    const panelElement = panel.current;
    return () => {
      // Unless something opened since has the focus.
      const restoreFocus = () => document.activeElement === document.body && focusList();
      if (panelElement?.contains(document.activeElement)) requestAnimationFrame(restoreFocus);
    };
  }, []);

  return createPortal(
    <div
      ref={panel}
      role="dialog"
      aria-labelledby={titleId}
      tabIndex={-1}
      data-peek
      data-whole={isFullScreenRecord || undefined}
      className={`relative z-20 row-start-3 flex min-h-0 min-w-0 flex-col border-hairline bg-surface outline-none ${
        isFullScreenRecord ? 'col-start-2 col-end-4' : 'col-start-3 border-s'
      }`}
      style={isFullScreenRecord ? undefined : { width }}
      onKeyDown={leaveField}
    >
      {!isFullScreenRecord && <ResizeEdge width={width} onChange={setWidth} panel={panel} />}
      <div ref={setElement} className="peer contents" />
      <div className="hidden after-200ms p-5 peer-empty:block">
        <Skeleton />
      </div>
      <RecordPanel value={{ element, titleId }}>{children}</RecordPanel>
    </div>,
    place,
  );
}

function useFollowing(id: string): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const onFocusLeft = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
  }, []);
  useEffect(() => {
    $follower.set((target: Target, openTarget) => {
      $pendingCursor.set(target.id);
      onFocusLeft();
      timer.current = setTimeout(() => {
        timer.current = undefined;
        openTarget(target);
      }, followDelayMs);
    });
    return () => {
      $follower.set(null);
      $pendingCursor.set(null);
      onFocusLeft();
    };
  }, [onFocusLeft]);
  useEffect(() => {
    if ($pendingCursor.get() === id) onFocusLeft();
    if (timer.current === undefined) $pendingCursor.set(null);
  }, [id, onFocusLeft]);
}

const focusList = () => document.querySelector<HTMLElement>('main [role="grid"]')?.focus({ preventScroll: true });

/** Escape in a field only leaves the field, so that typed text stays. */
function leaveField(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'Escape' || event.defaultPrevented) return;
  if (!(event.target instanceof Element && event.target.matches('input,textarea,select'))) return;
  event.preventDefault();
  event.currentTarget.focus({ preventScroll: true });
}

interface RecordSheetProps {
  title: string;
  description?: ReactNode;
  children: ReactNode;
  wide?: boolean | 'table';
  onClose?: () => void;
}

export function RecordSheet({ onClose = closeRecord, ...props }: RecordSheetProps) {
  const panel = useContext(RecordPanel);
  const isFullScreenRecord = new URLSearchParams(useSearch()).has('whole');
  if (!panel) return <Drawer open onClose={onClose} {...props} />;
  const { title, description, children } = props;
  return (
    panel.element &&
    createPortal(
      <>
        <div className="flex min-h-bar items-start gap-1 border-b border-hairline px-5 py-2.5">
          <div className="min-w-0 flex-1 text-balance">
            <h2 id={panel.titleId} className="text-section font-semibold break-words text-1">
              {title}
            </h2>
            {description && <div className="text-meta text-2">{description}</div>}
          </div>
          <IconButton
            label={t(isFullScreenRecord ? 'record.beside' : 'record.whole')}
            icon={isFullScreenRecord ? <Minimize2 size={16} aria-hidden="true" /> : <Maximize2 size={16} aria-hidden="true" />}
            aria-pressed={isFullScreenRecord}
            onClick={() => setFullScreen(!isFullScreenRecord)}
          />
          <IconButton label={t('common.close')} icon={<X size={16} aria-hidden="true" />} onClick={onClose} className="-me-1" />
        </div>
        <div className={`min-h-0 flex-1 overflow-y-auto px-5 py-4 ${isFullScreenRecord ? '*:mx-auto *:max-w-form' : ''}`}>
          {children}
        </div>
      </>,
      panel.element,
    )
  );
}
