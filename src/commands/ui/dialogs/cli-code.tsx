import { useEffect } from 'react';
import { copyText } from '../../../lib/clipboard.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { Button } from '../../../lib/ui/button.tsx';
import { Dialog } from '../../../lib/ui/overlay/dialog.tsx';

interface CliCodeProps {
  code: string;
  /** Of the terminal on this machine. Null: the code is pasted. */
  port: number | null;
  onClose: () => void;
}

/** With a port, the page leaves for the terminal, which reads the code from the address. */
export function CliCode({ code, port, onClose }: CliCodeProps) {
  useEffect(() => {
    if (port !== null) location.assign(`http://127.0.0.1:${port}/?code=${code}`);
  }, [code, port]);
  return (
    <Dialog
      open
      onClose={() => {}}
      alert
      size="small"
      title={t(port === null ? 'cli.code.enter' : 'cli.code.returned')}
      description={t(port === null ? 'cli.code.intro' : 'cli.code.fallback')}
      footer={
        <>
          {port === null && <Button onClick={() => void copyText(code)}>{t('value.copy')}</Button>}
          <Button look="primary" onClick={onClose}>
            {t('cli.code.close')}
          </Button>
        </>
      }
    >
      {port === null && (
        <p className="pb-2 font-mono text-section break-all select-all" dir="ltr" data-cli-code="">
          {code}
        </p>
      )}
    </Dialog>
  );
}
