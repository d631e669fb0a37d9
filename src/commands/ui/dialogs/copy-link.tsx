import { useStore } from '@nanostores/react';
import Link from 'lucide-react/icons/link';
import { copyText } from '../../../lib/clipboard.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { $expert } from '../../../lib/prefs/prefs.ts';
import { showToast } from '../../../lib/ui/overlay/toasts-store.ts';
import { IconButton } from '../../../lib/ui/button.tsx';
import type { Invocation } from '../../engine/define.ts';
import { linkOf, maxLinkLength } from '../../app/links.ts';

export function CopyLink({ tabIndex, of }: { tabIndex?: number; of: () => Invocation }) {
  if (!useStore($expert)) return null;
  return (
    <IconButton
      label={t('history.link.copy')}
      icon={<Link size={16} strokeWidth={1.75} aria-hidden="true" />}
      tabIndex={tabIndex}
      onClick={() => void copy(of())}
    />
  );
}

async function copy(invocation: Invocation): Promise<void> {
  const link = `${location.origin}${linkOf(invocation)}`;
  if (link.length > maxLinkLength) return void showToast({ kind: 'error', text: t('history.link.tooLong') });
  await copyText(link);
}
