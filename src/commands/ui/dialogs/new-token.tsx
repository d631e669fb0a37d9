import { copyText } from '../../../lib/clipboard.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { Button } from '../../../lib/ui/button.tsx';
import { Dialog } from '../../../lib/ui/overlay/dialog.tsx';

/** Esc alone does not close it, because the token is shown only once. */
export const NewToken = ({ token, onClose }: { token: string; onClose: () => void }) => (
  <Dialog
    open
    onClose={() => {}}
    alert
    size="small"
    title={t('services.once.title')}
    description={t('services.once.intro')}
    footer={
      <>
        <Button onClick={() => void copyText(token)}>{t('value.copy')}</Button>
        <Button look="primary" onClick={onClose}>
          {t('services.once.kept')}
        </Button>
      </>
    }
  >
    <p className="pb-2 font-mono text-label break-all select-all" dir="ltr" data-new-token="">
      {token}
    </p>
  </Dialog>
);
