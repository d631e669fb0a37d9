import { accountWallet } from '../../commands/account/wallet.ts';
import { registry } from '../../commands/app/registry.ts';
import { CommandTrigger } from '../../commands/ui/controls/command-trigger.tsx';
import { t } from '../../lib/i18n/i18n.ts';
import { Address } from '../../lib/ui/value/address.tsx';

registry.add(accountWallet);

/** The wallet for signing in. */
export function AccountWallet({ address }: { address: string | null }) {
  return (
    <section className="flex flex-col gap-3" data-wallet-address={address ?? ''}>
      <header className="flex flex-wrap items-center gap-2 border-b border-hairline pb-2">
        <h2 className="me-auto text-section font-semibold">{t('account.wallet.title')}</h2>
        {address ? <CommandTrigger id="account.unbindWallet" /> : <CommandTrigger id="account.bindWallet" />}
      </header>
      {address ? <Address value={address} whole /> : <p className="text-body text-2">{t('account.wallet.none')}</p>}
    </section>
  );
}
