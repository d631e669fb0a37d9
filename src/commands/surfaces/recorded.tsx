import { t } from '../../lib/i18n/i18n.ts';
import { saveFile } from '../../lib/download.ts';
import { showToast } from '../../lib/toasts.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Dialog } from '../../lib/ui/dialog.tsx';

/** The script that a recording became: to copy, or to save as a file. */
export function Recorded({
  recorded: { text, count },
  onClose,
}: {
  recorded: { text: string; count: number };
  onClose: () => void;
}) {
  const copy = () =>
    void navigator.clipboard.writeText(text).then(
      () => showToast({ kind: 'success', text: t('common.copied') }),
      () => showToast({ kind: 'error', text: t('value.copyFailed') }),
    );
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
          <Button look="primary" onClick={copy}>
            {t('value.copy')}
          </Button>
        </>
      }
    >
      <pre
        tabIndex={0}
        dir="ltr"
        data-recorded=""
        data-autofocus=""
        role="textbox"
        aria-readonly="true"
        aria-multiline="true"
        aria-label={t('qa.script')}
        className="mb-3 max-h-[50vh] overflow-auto rounded-control bg-layer p-3 font-mono text-label whitespace-pre text-1"
      >
        {text}
      </pre>
    </Dialog>
  );
}
