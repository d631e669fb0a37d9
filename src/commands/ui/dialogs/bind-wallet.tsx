import { createApi } from '../../../lib/net/client.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { bilingualName } from '../../../lib/i18n/name-of.ts';
import { refreshResources } from '../../../lib/net/query.ts';
import { showToast } from '../../../lib/ui/overlay/toasts-store.ts';
import { Dialog } from '../../../lib/ui/overlay/dialog.tsx';
import { WalletPanel } from '../../../lib/wallet/wallet-panel.tsx';
import { withFreshFactor } from './fresh-factor.ts';

export function BindWallet({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title={bilingualName('account.bindWallet')} description={t('wallet.bindIntro')} size="small">
      <div className="pb-3">
        <WalletPanel
          onClose={onClose}
          finish={async ({ address, sign }) => {
            const { id, message } = await createApi('account.bindWallet', null).wallet.bindChallenge({ address });
            const signature = await sign(message);
            await withFreshFactor(() =>
              createApi('account.bindWallet', crypto.randomUUID()).wallet.bindAddress({ id, signature }),
            );
            onClose();
            showToast({ kind: 'success', text: t('common.happened', { what: t('happened.account.bindWallet') }) });
            await refreshResources(['account']);
          }}
        />
      </div>
    </Dialog>
  );
}
