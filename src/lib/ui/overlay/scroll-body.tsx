import ChevronDown from 'lucide-react/icons/chevron-down';
import { useEffect, useState, type ReactNode } from 'react';
import { t } from '../../i18n/i18n.ts';
import { Kbd } from '../value/kbd.tsx';

/** Less than a line of text, more than the padding at the end. */
const foldTolerance = 10;

/** The scrolling part of a dialog. A line at its lower edge says that more follows before the buttons. */
export function ScrollBody({ className, children }: { className: string; children: ReactNode }) {
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const [content, setContent] = useState<HTMLDivElement | null>(null);
  const [isMoreBelow, setIsMoreBelow] = useState(false);
  useEffect(() => {
    if (!scroller || !content) return;
    const measure = () => setIsMoreBelow(hiddenBelow(scroller) > foldTolerance);
    // Chromium scrolls for a focused element inside the scroller, but not for the buttons below it.
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, target, defaultPrevented } = event;
      if (defaultPrevented || (key !== 'PageDown' && key !== 'PageUp')) return;
      if (target instanceof Node && scroller.contains(target)) return;
      event.preventDefault();
      scrollPage(scroller, key === 'PageDown' ? 1 : -1);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(scroller);
    observer.observe(content);
    scroller.addEventListener('scroll', measure);
    const panel = scroller.parentElement;
    panel?.addEventListener('keydown', onKeyDown);
    return () => {
      observer.disconnect();
      scroller.removeEventListener('scroll', measure);
      panel?.removeEventListener('keydown', onKeyDown);
    };
  }, [scroller, content]);
  return (
    <>
      <div ref={setScroller} className={`min-h-0 overflow-y-auto ${className}`}>
        <div ref={setContent} className="flow-root">
          {children}
        </div>
      </div>
      {isMoreBelow && (
        <button
          type="button"
          tabIndex={-1}
          data-fold
          className="flex min-h-6 shrink-0 items-center justify-center gap-1.5 border-y border-hairline bg-layer px-5 text-meta text-2 hover:text-1 touch:min-h-11"
          // The focus stays where it is, because this button disappears at the end.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => scroller && scrollPage(scroller, 1)}
        >
          <ChevronDown size={14} aria-hidden="true" />
          {t('common.moreBelow')}
          <Kbd keys="pagedown" silent />
        </button>
      )}
    </>
  );
}

const hiddenBelow = ({ scrollHeight, scrollTop, clientHeight }: HTMLElement) => scrollHeight - scrollTop - clientHeight;

function scrollPage(scroller: HTMLElement, direction: 1 | -1): void {
  scroller.scrollBy({ top: direction * scroller.clientHeight * 0.8 });
}
