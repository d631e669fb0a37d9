import { t } from './i18n/i18n.ts';
import { showToast } from './ui/overlay/toasts-store.ts';

/** Copies and shows a toast. False if the browser refuses. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    showToast({ kind: 'success', text: t('common.copied') });
    return true;
  } catch {
    showToast({ kind: 'error', text: t('value.copyFailed') });
    return false;
  }
}
