import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import type { CommandId } from '../../../../api/names.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { bilingualName } from '../../../lib/i18n/name-of.ts';
import { Kbd } from '../../../lib/ui/value/kbd.tsx';
import { $pendingKeys } from './key-listener.ts';

const showDelayMs = 300; // ms, so that people who know the sequence never see the hint

export function PendingKeys() {
  const pendingBindings = useStore($pendingKeys);
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    if (pendingBindings.length === 0) return setIsShown(false);
    const timer = setTimeout(() => setIsShown(true), showDelayMs);
    return () => clearTimeout(timer);
  }, [pendingBindings]);
  if (!isShown || pendingBindings.length === 0) return null;
  return (
    <div role="status" className="fixed start-4 bottom-4 z-40 max-w-160 rounded-card bg-overlay p-3 shadow-menu">
      <p className="pb-1.5 text-meta text-2">{t('keys.pending')}</p>
      <ul className="grid grid-cols-2 gap-x-6 gap-y-1 sm:grid-cols-3">
        {pendingBindings.map(({ id, keys }) => (
          <li key={`${id} ${keys}`} className="flex items-center gap-2">
            <Kbd keys={keys.split(' ').at(-1) ?? keys} />
            <span className="truncate">{bilingualName(id as CommandId)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
