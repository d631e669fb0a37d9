import { Link } from 'wouter';
import type { IdentityStatus, ProvisioningToken } from '../../../../api/access/identity.ts';
import { CommandTrigger } from '../../../commands/ui/controls/command-trigger.tsx';
import { t } from '../../../lib/i18n/i18n.ts';
import { Details } from '../../../lib/ui/record/details.tsx';
import { Chip } from '../../../lib/ui/value/chip.tsx';
import { TimeText } from '../../../lib/ui/value/time.tsx';
import { Section } from '../../../lib/ui/section.tsx';

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
            <Token key={token.id} token={token} />
          ))}
        </ul>
      )}
    </Section>
  );
}

const chips = { live: 'done', replaced: 'pending', expired: 'off', revoked: 'refused' } as const;

const Token = ({ token }: { token: ProvisioningToken }) => (
  <li data-token={token.id} className="flex flex-col gap-1 border-b border-hairline py-3 first:pt-0 last:border-0">
    <span className="flex flex-wrap items-center gap-2">
      <span className="font-medium wrap-anywhere">{token.name}</span>
      <span className="font-mono text-meta text-2" dir="ltr">
        …{token.lastFour}
      </span>
      <Chip state={chips[token.state]}>{t(`services.state.${token.state}`)}</Chip>
      {token.state === 'live' && (
        <span className="ms-auto">
          <CommandTrigger id="identity.revokeScimToken" params={{ token: token.id }} label={t('services.act.revokeToken')} />
        </span>
      )}
    </span>
    <Details
      of={{
        'services.field.networks':
          token.networks.length === 0 ? t('services.everywhere') : <span dir="ltr">{token.networks.join(', ')}</span>,
        'services.field.expiresAt': <TimeText iso={token.expiresAt} />,
        'services.field.lastUsed':
          token.lastUsedAt === null ? (
            t('services.never')
          ) : (
            <>
              <TimeText iso={token.lastUsedAt} /> <span dir="ltr">{token.lastIp}</span>
            </>
          ),
        'services.field.creator': token.creatorEmail,
        ...(token.revokedAt !== null && {
          'services.field.revokedAt': (
            <>
              <TimeText iso={token.revokedAt} /> {token.revokedReason && t(`services.reason.${token.revokedReason}`)}
            </>
          ),
        }),
      }}
    />
  </li>
);

/** Users that the panel refused to create. An administrator can turn on provisioning for the existing account. */
export function Conflicts({ conflicts }: { conflicts: IdentityStatus['provisioning']['conflicts'] }) {
  if (conflicts.length === 0) return null;
  return (
    <Section title={t('identity.conflicts.title')} intro={t('identity.conflicts.intro')}>
      <ul className="flex flex-col">
        {conflicts.map(({ id, administratorId, email, userName, reason, lastAt }) => (
          <li key={id} data-conflict={id} className="flex flex-col gap-0.5 border-b border-hairline py-2 text-body last:border-0">
            <span className="flex flex-wrap items-baseline gap-x-3">
              <span className="font-medium wrap-anywhere">{userName}</span>
              <span className="text-meta text-2">
                <TimeText iso={lastAt} />
              </span>
            </span>
            <span className="text-2">{t(`identity.reason.${reason}`)}</span>
            {reason === 'email' && (
              <Link
                href={`/permissions/administrator?open=${administratorId}`}
                className="self-start rounded-chip text-accent-text hover:underline"
              >
                {email}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
