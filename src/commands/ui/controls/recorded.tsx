import { copyText } from '../../../lib/clipboard.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { saveFile } from '../../../lib/net/download.ts';
import { Button } from '../../../lib/ui/button.tsx';
import { Dialog } from '../../../lib/ui/overlay/dialog.tsx';

export function RecordedFieldsView({
  recorded: { text, count },
  onClose,
}: {
  recorded: { text: string; count: number };
  onClose: () => void;
}) {
  return (
    <Dialog
      open
      onClose={onClose}
      size="large"
      title={t('qa.title')}
      description={count === 0 ? t('qa.nothing') : t('qa.intro', { count })}
      footer={
        <>
          <Button onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), 'recorded.spec.ts')}>
            {t('qa.download')}
          </Button>
          <Button look="primary" onClick={() => void copyText(text)}>
            {t('value.copy')}
          </Button>
        </>
      }
    >
      <textarea
        readOnly
        rows={Math.min(24, text.split('\n').length)}
        dir="ltr"
        wrap="off"
        spellCheck={false}
        data-recorded=""
        data-autofocus=""
        aria-label={t('qa.script')}
        className="mb-3 w-full resize-none rounded-control bg-layer p-3 font-mono text-label text-1"
        value={text}
      />
    </Dialog>
  );
}
