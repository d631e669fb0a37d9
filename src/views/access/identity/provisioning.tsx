import type { IdentityStatus } from '../../../../api/access/identity.ts';
import { CommandTrigger } from '../../../commands/ui/controls/command-trigger.tsx';
import { t } from '../../../lib/i18n/i18n.ts';
import { Details } from '../../../lib/ui/record/details.tsx';
import { TimeText } from '../../../lib/ui/value/time.tsx';
import { Section } from '../../../lib/ui/section.tsx';
import { TokenItem } from '../token-item.tsx';

/** SCIM: the address and tokens for the provider, and what the provider provisioned. */
export function Provisioning({ status: { provisioning } }: { status: IdentityStatus }) {
  const { isOn, address, lastRequestAt, enabledAccounts, disabledAccounts, groups, tokens } = provisioning;
  return (
    <Section title={t('identity.provisioning.title')} intro={t('identity.provisioning.intro')}>
      {!isOn && <p className="text-body text-2">{t('identity.provisioning.off')}</p>}
      {isOn && (
        <Details
          data-provisioning=""
          of={{
            'identity.provisioning.address': {
              copy: address,
              shown: (
                <span className="font-mono text-meta" dir="ltr">
                  {address}
                </span>
              ),
            },
            'identity.provisioning.lastRequest':
              lastRequestAt === null ? t('identity.provisioning.never') : <TimeText iso={lastRequestAt} />,
            'identity.provisioning.accounts': t('identity.provisioning.accountCounts', {
              enabled: enabledAccounts,
              disabled: disabledAccounts,
            }),
            'identity.provisioning.groups':
              groups.length === 0 ? '—' : groups.map(({ name, members }) => `${name} (${members})`).join(' · '),
          }}
        />
      )}
      <h3 className="text-body font-semibold">{t('identity.provisioning.tokens')}</h3>
      {tokens.length === 0 ? (
        <p className="text-body text-2">{t('identity.provisioning.noTokens')}</p>
      ) : (
        <ul className="flex flex-col">
          {tokens.map((token) => (
            <TokenItem
              key={token.id}
              of={token}
              actions={
                token.state === 'live' && (
                  <CommandTrigger
                    id="identity.revokeScimToken"
                    params={{ token: token.id }}
                    label={t('services.act.revokeToken')}
                  />
                )
              }
            />
          ))}
        </ul>
      )}
    </Section>
  );
}
