import { accountWallet } from '../../commands/account/wallet.ts';
import { registry } from '../../commands/app/registry.ts';
import { CommandTrigger } from '../../commands/ui/controls/command-trigger.tsx';
import { t } from '../../lib/i18n/i18n.ts';
import { Section } from '../../lib/ui/section.tsx';
import { Address } from '../../lib/ui/value/address.tsx';

registry.add(accountWallet);

/** The wallet for signing in. */
export function AccountWallet({ address }: { address: string | null }) {
  return (
    <Section
      title={t('account.wallet.title')}
      actions={<CommandTrigger id={address ? 'account.unbindWallet' : 'account.bindWallet'} />}
      data-wallet-address={address ?? ''}
    >
      {address ? <Address value={address} whole /> : <p className="text-body text-2">{t('account.wallet.none')}</p>}
    </Section>
  );
}
