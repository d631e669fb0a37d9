import type { ReactNode } from 'react';
import type {
  AccountIdentity,
  AdministratorDetails,
  AdministratorRow,
  LinkDetails,
} from '../../../../api/access/administrators.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { roleText } from '../../../lib/i18n/role-text.ts';
import { Details, RecordSection, type Facts } from '../../../lib/ui/record/details.tsx';
import { TimeText } from '../../../lib/ui/value/time.tsx';
import { RoleChip } from './parts.tsx';

/** Where the account comes from, who signs in to it at the provider, and what the provider decides. */
export function AccountSource({
  row,
  details: { identity, provider },
}: {
  row: AdministratorRow;
  details: AdministratorDetails;
}) {
  const { links, isProvisioned } = identity;
  const currentLink = links.find(({ isFormer }) => !isFormer);
  return (
    <RecordSection title={t('administrators.identity.title')} data-account-source>
      <Details
        of={{
          'administrators.identity.from': originText(identity),
          'administrators.identity.vouched': identity.vouched && <Vouched of={identity.vouched} />,
          'administrators.field.factorGap': row.factorGap && t(`administrators.factorGap.${row.factorGap}`),
          ...(currentLink ? linkFacts(currentLink) : { 'administrators.field.sso': t('administrators.identity.notLinked') }),
          ...(isProvisioned && !provider && { 'administrators.identity.managed': t('administrators.identity.notManaged') }),
          ...(provider && providerFacts(provider, row.email)),
        }}
      />
      {links
        .filter(({ isFormer }) => isFormer)
        .map((link) => (
          <Details key={link.issuer} data-former-link="" of={linkFacts(link)} />
        ))}
    </RecordSection>
  );
}

const Lines = ({ children }: { children: ReactNode }) => <span className="flex flex-col">{children}</span>;

function originText({ origin: { kind, by }, providerName: name }: AccountIdentity): string {
  return by ?? t(`administrators.identity.origin.${kind}`, { name });
}

const Vouched = ({ of: { at, by } }: { of: NonNullable<AccountIdentity['vouched']> }) => (
  <Lines>
    <span>{by ?? t('administrators.identity.vouchedSelf')}</span>
    <span className="text-meta text-2">
      <TimeText iso={at} />
    </span>
  </Lines>
);

const asCode = (text: string) => ({
  copy: text,
  shown: (
    <span className="font-mono text-meta" dir="ltr">
      {text}
    </span>
  ),
});

const linkFacts = ({ issuer, subject, email, origin, linkedBy, linkedAt, lastUsedAt, isFormer }: LinkDetails): Facts => ({
  'administrators.field.sso': (
    <Lines>
      <span>
        {t(`administrators.origin.${origin}`)} <TimeText iso={linkedAt} />
      </span>
      {linkedBy !== null && origin === 'invitation' && (
        <span className="text-meta text-2">{t('administrators.identity.linkedBy', { by: linkedBy })}</span>
      )}
      {isFormer && <span className="text-danger-text">{t('administrators.identity.former')}</span>}
    </Lines>
  ),
  'administrators.identity.lastUsed': lastUsedAt === null ? t('administrators.never') : <TimeText iso={lastUsedAt} />,
  'administrators.identity.email': <bdi>{email ?? '—'}</bdi>,
  'identity.provider.issuer': asCode(issuer),
  'administrators.field.subject': asCode(subject),
});

const providerFacts = (provider: NonNullable<AdministratorDetails['provider']>, email: string): Facts => ({
  'administrators.identity.managed': (
    <Lines>
      <span>
        {t('administrators.identity.managedSince')} <TimeText iso={provider.since} />
      </span>
      {provider.handedOverBy !== null && (
        <span className="text-meta text-2">{t('administrators.identity.handedOver', { by: provider.handedOverBy })}</span>
      )}
    </Lines>
  ),
  'administrators.identity.active':
    provider.deletedAt !== null ? (
      <span>
        {t('administrators.identity.deleted')} <TimeText iso={provider.deletedAt} />
      </span>
    ) : (
      t(provider.active ? 'administrators.identity.isActive' : 'administrators.identity.isInactive')
    ),
  ...(provider.displayName && { 'identity.field.displayName': <bdi>{provider.displayName}</bdi> }),
  ...(provider.email !== email && { 'administrators.identity.wantedEmail': <bdi>{provider.email}</bdi> }),
  'identity.field.userName': <bdi>{provider.userName}</bdi>,
  ...(provider.externalId !== null && { 'identity.field.externalId': asCode(provider.externalId) }),
  'administrators.identity.groups': provider.groups.length === 0 ? '—' : <bdi>{provider.groups.join(' · ')}</bdi>,
});

/** Each role with who gave it. */
export const RoleSources = ({ of: { roles, providerName: name } }: { of: AccountIdentity }) => (
  <ul className="flex flex-col gap-1">
    {roles.map(({ id, name: role, sources }) => (
      <li key={id} data-role-source={sources.join(' ')} className="flex flex-wrap items-center gap-x-2">
        <RoleChip name={roleText(role)} />
        <span className="text-meta text-2">
          {t(
            !sources.includes('idp')
              ? 'administrators.identity.fromColleague'
              : sources.includes('panel')
                ? 'administrators.identity.fromBoth'
                : 'administrators.identity.fromProvider',
            { name },
          )}
        </span>
      </li>
    ))}
  </ul>
);
