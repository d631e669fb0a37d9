import { copyText } from '../../../lib/clipboard.ts';
import { saveFile } from '../../../lib/net/download.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { Button } from '../../../lib/ui/button.tsx';
import { Dialog } from '../../../lib/ui/overlay/dialog.tsx';

/** Esc alone does not close it, because the codes are shown only once. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const text = `${codes.join('\n')}\n`;
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
          <Button onClick={() => void copyText(text)}>{t('value.copy')}</Button>
          <Button onClick={() => print()}>{t('account.codes.print')}</Button>
          <Button onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), 'recovery-codes.txt')}>
            {t('account.codes.download')}
          </Button>
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
