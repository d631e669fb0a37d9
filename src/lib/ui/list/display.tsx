import { useStore } from '@nanostores/react';
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import { useEffect, useId, useRef, type KeyboardEvent } from 'react';
import { t } from '../../i18n/i18n.ts';
import { loadWords } from '../../i18n/words.ts';
import { createChunk } from '../../chunks/loader.ts';
import { useChunk } from '../../chunks/use-chunk.ts';
import { Button } from '../button.tsx';
import { FailedChunk } from '../failed-part.tsx';
import { positionBeside } from '../overlay/floating.ts';
import type { DisplayProps } from './display-props.ts';

const panelChunk = createChunk(
  async () => (await Promise.all([import('./display-panel.tsx'), loadWords('kit')]))[0].DisplayPanel,
);

export function DisplayMenu<Row extends { id: string }>(props: DisplayProps<Row>) {
  const { store } = props;
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const focusBefore = useRef<Element | null>(null);
  const isOpen = useStore(store.$columnsOpen);
  const panelState = useChunk(panelChunk, isOpen);

  useEffect(() => {
    const popover = panel.current;
    if (!popover || isOpen === popover.matches(':popover-open')) return;
    if (!isOpen) return popover.hidePopover();
    focusBefore.current = document.activeElement;
    popover.showPopover();
    if (opener.current) positionBeside(popover, opener.current, 'end');
  }, [isOpen]);

  function onKeyDown(event: KeyboardEvent) {
    event.stopPropagation();
    if (event.key !== 'Escape') return;
    event.preventDefault();
    store.setColumnsOpen(false);
    const focusTarget =
      focusBefore.current instanceof HTMLElement && focusBefore.current.isConnected ? focusBefore.current : opener.current;
    focusTarget?.focus();
  }
  return (
    <>
      <Button
        ref={opener}
        look="ghost"
        icon={<SlidersHorizontal size={14} aria-hidden="true" />}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={id}
        onPointerDown={(event) => isOpen && event.preventDefault()}
        onClick={() => store.setColumnsOpen(!isOpen)}
      >
        <span className="max-sm:sr-only">{t('list.display')}</span>
      </Button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={t('list.displayTitle')}
        className="fixed inset-auto m-0 max-h-[70vh] w-72 overflow-y-auto rounded-card bg-overlay p-2 text-1 shadow-menu"
        onToggle={(event) => store.setColumnsOpen(event.newState === 'open')}
        onKeyDown={onKeyDown}
      >
        {panelState.value ? isOpen && <panelState.value {...props} name={id} /> : <FailedChunk {...panelState} />}
      </div>
    </>
  );
}
