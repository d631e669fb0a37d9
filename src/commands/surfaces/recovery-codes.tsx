import { t } from '../../lib/i18n/i18n.ts';
import { showToast } from '../../lib/toasts.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Dialog } from '../../lib/ui/dialog.tsx';

/** The codes, this once: to copy, print or download. Esc alone does not close it, for they never come back. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const text = `${codes.join('\n')}\n`;
  const copy = () =>
    void navigator.clipboard.writeText(text).then(
      () => showToast({ kind: 'success', text: t('common.copied') }),
      () => showToast({ kind: 'error', text: t('value.copyFailed') }),
    );
  return (
    <Dialog
      open
      onClose={() => {}}
      alert
      size="small"
      title={t('account.codes.title')}
      description={t('account.codes.intro')}
      footer={
        <>
          <Button onClick={copy}>{t('value.copy')}</Button>
          <Button onClick={() => print()}>{t('account.codes.print')}</Button>
          <Button onClick={() => download(text)}>{t('account.codes.download')}</Button>
          <Button look="primary" onClick={onClose}>
            {t('account.codes.kept')}
          </Button>
        </>
      }
    >
      <ul className="grid grid-cols-2 gap-x-6 gap-y-1 pb-2 font-mono text-label" data-recovery-codes="">
        {codes.map((code) => (
          <li key={code} className="select-all">
            {code}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function download(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: 'recovery-codes.txt' });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
