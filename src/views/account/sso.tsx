import type { OwnAccount } from '../../../api/account/contract.ts';
import { CommandTrigger } from '../../commands/ui/controls/command-trigger.tsx';
import { t } from '../../lib/i18n/i18n.ts';
import { readSsoWay } from '../../lib/session/sso-way.ts';
import { Section } from '../../lib/ui/section.tsx';
import { TimeText } from '../../lib/ui/value/time.tsx';

/** The person of the identity provider. Nothing without a provider and a link. */
export function AccountSso({ sso }: Pick<OwnAccount, 'sso'>) {
  const way = readSsoWay();
  if (!way && !sso) return null;
  const name = way?.name ?? '';
  return (
    <Section
      title={t('account.sso.title')}
      actions={<CommandTrigger id={sso ? 'account.unlinkSso' : 'account.linkSso'} />}
      data-sso={sso ? 'linked' : 'none'}
    >
      {sso ? (
        <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-body">
          {way && (
            <>
              <dt className="text-2">{t('account.sso.provider')}</dt>
              <dd className="wrap-anywhere">{name}</dd>
            </>
          )}
          <dt className="text-2">{t('account.sso.email')}</dt>
          <dd className="wrap-anywhere">{sso.email ?? '—'}</dd>
          <dt className="text-2">{t('account.sso.linkedAt')}</dt>
          <dd>
            <TimeText iso={sso.linkedAt} />
          </dd>
          <dt className="text-2">{t('account.sso.lastUsedAt')}</dt>
          <dd>{sso.lastUsedAt === null ? t('account.sso.never') : <TimeText iso={sso.lastUsedAt} />}</dd>
        </dl>
      ) : (
        <p className="text-body text-2">{t('account.sso.none', { name })}</p>
      )}
    </Section>
  );
}
