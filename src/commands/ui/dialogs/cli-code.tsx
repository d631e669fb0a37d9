import { useEffect } from 'react';
import { copyText } from '../../../lib/clipboard.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { Button } from '../../../lib/ui/button.tsx';
import { Dialog } from '../../../lib/ui/overlay/dialog.tsx';

interface CliCodeProps {
  code: string;
  /** Of the terminal on this machine. Null: the code is pasted. */
  address: string | null;
  onClose: () => void;
}

/** With an address, the page leaves for the terminal, which reads the code from it. */
export function CliCode({ code, address, onClose }: CliCodeProps) {
  useEffect(() => {
    if (address !== null) location.assign(address);
  }, [address]);
  return (
    <Dialog
      open
      onClose={() => {}}
      alert
      size="small"
      title={t(address === null ? 'cli.code.enter' : 'cli.code.returned')}
      description={t(address === null ? 'cli.code.intro' : 'cli.code.fallback')}
      footer={
        <>
          {address === null && <Button onClick={() => void copyText(code)}>{t('value.copy')}</Button>}
          <Button look="primary" onClick={onClose}>
            {t('cli.code.close')}
          </Button>
        </>
      }
    >
      {address === null && (
        <p className="pb-2 font-mono text-section break-all select-all" dir="ltr" data-cli-code="">
          {code}
        </p>
      )}
    </Dialog>
  );
}
