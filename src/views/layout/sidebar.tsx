import { useStore } from '@nanostores/react';
import PanelLeft from 'lucide-react/icons/panel-left';
import X from 'lucide-react/icons/x';
import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { runCommand } from '../../commands/app/app.ts';
import { keysOf } from '../../commands/app/keymap.ts';
import { ariaKeys } from '../../commands/ui/controls/command-trigger.tsx';
import { t } from '../../lib/i18n/i18n.ts';
import { $sidebar, watchSidebar } from '../../lib/prefs/sidebar.ts';
import { IconButton } from '../../lib/ui/button.tsx';
import { Nav } from './nav.tsx';

/** 224 px wide, or a rail of 56. Below 768 px a sheet replaces it. */
export function Sidebar() {
  const isRail = useStore($sidebar) === 'rail';
  useEffect(watchSidebar, []);
  const label = t(isRail ? 'shell.expand' : 'shell.collapse');
  const [keys] = keysOf('sidebar.toggle');
  return (
    <div className={`hidden min-h-0 flex-col border-e bg-canvas md:row-start-3 md:flex ${isRail ? 'w-rail' : 'w-sidebar'}`}>
      <Nav rail={isRail} />
      <div className={`flex border-t p-2 ${isRail ? 'justify-center' : ''}`}>
        <IconButton
          data-command="sidebar.toggle"
          label={label}
          aria-expanded={!isRail}
          {...(keys && { 'aria-keyshortcuts': ariaKeys(keys), 'data-tip-keys': keys })}
          onClick={() => runCommand({ id: 'sidebar.toggle' }, 'button')}
          icon={<PanelLeft size={16} strokeWidth={1.75} aria-hidden="true" className="flip-rtl" />}
          className="aria-expanded:bg-transparent"
        />
      </div>
    </div>
  );
}

/** A native dialog, which traps and restores the focus. */
export function MenuSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [path] = useLocation();

  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  useEffect(onClose, [path, onClose]);

  return (
    <dialog
      ref={dialog}
      aria-label={t('shell.menu')}
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && onClose()}
      className="fixed start-0 end-auto m-0 h-dvh max-h-none w-72 max-w-[85vw] flex-col border-e bg-canvas text-1 open:flex"
    >
      {isOpen && (
        <>
          <div className="flex h-bar shrink-0 items-center justify-between border-b ps-4 pe-2">
            <span className="font-semibold">{t('shell.title')}</span>
            <IconButton label={t('common.close')} icon={<X size={18} aria-hidden="true" />} onClick={onClose} />
          </div>
          <Nav />
        </>
      )}
    </dialog>
  );
}
