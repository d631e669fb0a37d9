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
import { $pendingCursor, $follower, $viewContexts, listOf, type Target } from '../../scope.ts';
import { IconButton } from '../button.tsx';
import { Drawer } from '../overlay/drawer.tsx';
import { useElement } from '../use-element.ts';
import { Skeleton } from '../skeleton.tsx';
import { closeRecord, setFullScreen, RecordPanel } from './open-record.ts';
import { ResizeEdge, storedWidth } from './peek-edge.tsx';

/** Milliseconds, so that a held key does not load every record. */
const followAfter = 120;

const wide = matchMedia('(min-width: 900px)');
const onWide = (changed: () => void) => {
  wide.addEventListener('change', changed);
  return () => wide.removeEventListener('change', changed);
};

/** The record follows the list's cursor. */
export function Peek({ id, children }: { id: string; children: ReactNode }) {
  const isWide = useSyncExternalStore(onWide, () => wide.matches);
  const place = useElement('peek');
  return isWide && place ? <Beside {...{ id, place, children }} /> : children;
}

function Beside({ id, place, children }: { id: string; place: HTMLElement; children: ReactNode }) {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const panel = useRef<HTMLDivElement>(null);
  const titleId = useId();
  const isWhole = new URLSearchParams(useSearch()).has('whole');
  const [width, setWidth] = useState(storedWidth);
  useFollowing(id);

  useEffect(() => {
    listOf($viewContexts.get())?.controls?.goTo?.(id);
  }, [id]);
  // Focus the panel only if nothing has focus, as after opening a link.
  useEffect(() => {
    if (document.activeElement === document.body) panel.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    const main = document.querySelector('main');
    if (!main || !isWhole) return;
    main.inert = true;
    panel.current?.focus({ preventScroll: true });
    return () => {
      main.inert = false;
      focusList();
    };
  }, [isWhole]);
  useLayoutEffect(() => {
    const shown = panel.current;
    return () => {
      // Unless something opened since has the focus.
      const back = () => document.activeElement === document.body && focusList();
      if (shown?.contains(document.activeElement)) requestAnimationFrame(back);
    };
  }, []);

  return createPortal(
    <div
      ref={panel}
      role="dialog"
      aria-labelledby={titleId}
      tabIndex={-1}
      data-peek
      data-whole={isWhole || undefined}
      className={`relative z-20 row-start-3 flex min-h-0 min-w-0 flex-col border-hairline bg-surface outline-none ${
        isWhole ? 'col-start-2 col-end-4' : 'col-start-3 border-s'
      }`}
      style={isWhole ? undefined : { width }}
      onKeyDown={leaveField}
    >
      {!isWhole && <ResizeEdge width={width} onChange={setWidth} panel={panel} />}
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
  const rest = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
  }, []);
  useEffect(() => {
    $follower.set((target: Target, open) => {
      $pendingCursor.set(target.id);
      rest();
      timer.current = setTimeout(() => {
        timer.current = undefined;
        open(target);
      }, followAfter);
    });
    return () => {
      $follower.set(null);
      $pendingCursor.set(null);
      rest();
    };
  }, [rest]);
  useEffect(() => {
    if ($pendingCursor.get() === id) rest();
    if (timer.current === undefined) $pendingCursor.set(null);
  }, [id, rest]);
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
  const isWhole = new URLSearchParams(useSearch()).has('whole');
  if (!panel) return <Drawer open onClose={onClose} {...props} />;
  const { title, description, children } = props;
  return (
    panel.element &&
    createPortal(
      <>
        <div className="flex min-h-bar items-start gap-1 border-b border-hairline px-5 py-2.5">
          <div className="min-w-0 flex-1">
            <h2 id={panel.titleId} className="text-section font-semibold break-words text-1">
              {title}
            </h2>
            {description && <div className="text-meta text-2">{description}</div>}
          </div>
          <IconButton
            label={t(isWhole ? 'record.beside' : 'record.whole')}
            icon={isWhole ? <Minimize2 size={16} aria-hidden="true" /> : <Maximize2 size={16} aria-hidden="true" />}
            aria-pressed={isWhole}
            onClick={() => setFullScreen(!isWhole)}
          />
          <IconButton label={t('common.close')} icon={<X size={16} aria-hidden="true" />} onClick={onClose} className="-me-1" />
        </div>
        <div className={`min-h-0 flex-1 overflow-y-auto px-5 py-4 ${isWhole ? '*:mx-auto *:max-w-form' : ''}`}>{children}</div>
      </>,
      panel.element,
    )
  );
}
