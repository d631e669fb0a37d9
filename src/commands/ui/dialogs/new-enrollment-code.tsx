import { formatTime } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { Button } from '../../../lib/ui/button.tsx';
import { Dialog } from '../../../lib/ui/overlay/dialog.tsx';

interface NewEnrollmentCodeProps {
  code: string;
  email: string;
  expiresAt: string;
  onClose: () => void;
}

/** Esc doesn't close it, because the code is shown only once. It has no copy button, so that people don't send the code. */
export const NewEnrollmentCode = ({ code, email, expiresAt, onClose }: NewEnrollmentCodeProps) => (
  <Dialog
    open
    onClose={() => {}}
    alert
    size="small"
    title={t('administrators.code.title')}
    description={t('administrators.code.intro', { email, until: formatTime(expiresAt) })}
    footer={
      <Button look="primary" onClick={onClose}>
        {t('administrators.code.kept')}
      </Button>
    }
  >
    <p className="pb-2 font-mono text-section tracking-widest select-all" dir="ltr" data-enrollment-code="">
      {code}
    </p>
  </Dialog>
);
