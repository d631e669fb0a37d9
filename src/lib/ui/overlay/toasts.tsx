import { useStore } from '@nanostores/react';
import { CircleAlert, CircleCheck, CircleSlash, Keyboard, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { t } from '../../i18n/i18n.ts';
import { $toasts, dropToast, toastTime, type Toast } from './toasts-store.ts';
import { IconButton } from '../button.tsx';
import { Kbd } from '../value/kbd.tsx';

const looks = {
  success: { Icon: CircleCheck, colour: 'text-ok-icon' },
  error: { Icon: CircleAlert, colour: 'text-bad-icon' },
  hint: { Icon: Keyboard, colour: 'text-2' },
  blocked: { Icon: CircleSlash, colour: 'text-warn-icon' },
} as const;

/**
 * Notices at the bottom end corner, above what stands along the bottom edge (a notice must not cover the button that is
 * pressed next), read out politely. They stand in an element of their own under the body,
 * so that an open dialog neither silences them nor takes a click on them for a click outside.
 */
export function Toaster() {
  const toasts = useStore($toasts);
  const [held, setHeld] = useState(false);
  return createPortal(
    <div
      role="region"
      aria-label={t('value.notifications')}
      className="pointer-events-none fixed inset-x-0 bottom-0 z-50 flex flex-col items-end gap-2 p-4 pb-18"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <div role="log" aria-live="polite" aria-relevant="additions" className="flex w-full flex-col items-end gap-2">
        {toasts.map((toast) => (
          <Notice key={toast.id} toast={toast} held={held} />
        ))}
      </div>
    </div>,
    host(),
  );
}

function Notice({ toast, held }: { toast: Toast; held: boolean }) {
  const { id, kind, text, keys, requestId, action } = toast;
  const stays = kind === 'error';
  useEffect(() => {
    if (stays || held) return;
    const timer = setTimeout(() => dropToast(id), toastTime);
    return () => clearTimeout(timer);
  }, [id, stays, held]);

  const { Icon, colour } = looks[kind];
  return (
    <div
      data-toast={kind}
      className="pointer-events-auto flex w-full max-w-96 items-center gap-2 rounded-card bg-overlay py-1.5 ps-3 pe-1.5 text-body text-1 shadow-menu"
    >
      <Icon size={16} aria-hidden="true" className={`shrink-0 ${colour}`} />
      <span className="min-w-0 flex-1 py-0.5 break-words">
        <span className="whitespace-pre-line">{text}</span>
        {keys && (
          <>
            {' '}
            <Kbd keys={keys} />
          </>
        )}
        {requestId && <span className="block font-mono text-meta text-2">{t('errors.requestId', { id: requestId })}</span>}
      </span>
      {action && (
        <button
          type="button"
          className="inline-flex h-control shrink-0 items-center gap-1.5 rounded-control px-2 font-medium text-accent-text hover:bg-layer-hover"
          onClick={() => {
            dropToast(id);
            action.run();
          }}
        >
          {action.label}
          {action.keys && <Kbd keys={action.keys} />}
        </button>
      )}
      <IconButton label={t('common.close')} icon={<X size={14} aria-hidden="true" />} onClick={() => dropToast(id)} />
    </div>
  );
}

let element: HTMLElement | null = null;

function host(): HTMLElement {
  if (element?.isConnected) return element;
  element = document.createElement('div');
  element.id = 'toasts';
  document.body.append(element);
  return element;
}
