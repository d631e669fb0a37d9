import type { AccountIdentity, AdministratorDetails, AdministratorRow } from '../../../../api/access/administrators.ts';
import { administratorTarget } from '../../../commands/access/administrators.ts';
import { api } from '../../../lib/net/client.ts';
import { roleText } from '../../../lib/i18n/role-text.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { readSsoWay } from '../../../lib/session/sso-way.ts';
import { Address } from '../../../lib/ui/value/address.tsx';
import { TimeText } from '../../../lib/ui/value/time.tsx';
import { Details, RecordSection } from '../../../lib/ui/record/details.tsx';
import { RecordView, useOpenedDetails } from '../../layout/record-view.tsx';
import { AccountSource, RoleSources } from './identity.tsx';
import { AdministratorStatus, FactorCell, RolesCell } from './parts.tsx';
import { EffectiveRights } from './rights.tsx';

export function AdministratorRecord({ id }: { id: string }) {
  const openedRecord = useOpenedDetails('administrators', id, api.administrators.details, administratorTarget);
  if (!openedRecord) return null;
  const { row, details, targets } = openedRecord;
  return (
    <RecordView
      wide
      title={row.email}
      state={
        <span className="inline-flex gap-2 pt-1">
          <AdministratorStatus row={row} />
          {row.reach === 'own' && t('administrators.you')}
        </span>
      }
      targets={targets}
      primary="administrators.edit"
      commands={[
        row.enabled ? 'administrators.disable' : 'administrators.enable',
        { id: 'administrators.resetPassword', label: t('administrators.act.resetPassword') },
        { id: 'administrators.resetFactor', label: t('administrators.act.resetFactor') },
        ...(row.factorGap
          ? [{ id: 'administrators.giveEnrollmentCode' as const, label: t('administrators.act.giveEnrollmentCode') }]
          : []),
        row.walletAddress === null
          ? { id: 'administrators.bindWallet', label: t('administrators.act.bindWallet') }
          : { id: 'administrators.unbindWallet', label: t('administrators.act.unbindWallet') },
        row.sso === null
          ? readSsoWay() && { id: 'administrators.sendSsoLink', label: t('administrators.act.sendSsoLink') }
          : { id: 'administrators.unlinkSso', label: t('administrators.act.unlinkSso') },
        row.managed
          ? { id: 'administrators.stopIdpManaging', label: t('administrators.act.stopIdpManaging') }
          : details.identity.isProvisioned && {
              id: 'administrators.letIdpManage',
              label: t('administrators.act.letIdpManage'),
            },
        details.provider !== null &&
          details.provider.email !== row.email && {
            id: 'administrators.acceptIdpEmail',
            label: t('administrators.act.acceptIdpEmail'),
          },
        { id: 'administrators.endSessions', label: t('administrators.act.endSessions') },
        'administrators.viewAs',
        'administrators.delete',
      ]}
    >
      <Facts row={row} identity={details.identity} />
      <AccountSource row={row} details={details} />
      <EffectiveRights rights={details.rights} />
      <Sessions sessions={details.sessions} />
    </RecordView>
  );
}

const Facts = ({ row, identity }: { row: AdministratorRow; identity: AccountIdentity }) => (
  <Details
    of={{
      'administrators.field.roles': identity.roles.some(({ sources }) => sources.includes('idp')) ? (
        <RoleSources of={identity} />
      ) : (
        <RolesCell row={row} whole />
      ),
      'administrators.field.description': <span className="whitespace-pre-wrap">{roleText(row.description) || '—'}</span>,
      'administrators.field.factor': <FactorCell row={row} />,
      'administrators.field.wallet': row.walletAddress === null ? '—' : <Address value={row.walletAddress} whole />,
      'administrators.field.lastSeen': row.lastSeenAt === null ? t('administrators.never') : <TimeText iso={row.lastSeenAt} />,
      'administrators.field.createdAt': <TimeText iso={row.createdAt} />,
    }}
  />
);

const Sessions = ({ sessions }: Pick<AdministratorDetails, 'sessions'>) => (
  <RecordSection title={t('administrators.sessions.title')}>
    <p className="text-2">
      {sessions.length === 0 ? t('administrators.sessions.none') : t('administrators.sessions.count', { count: sessions.length })}
    </p>
    <ul className="flex flex-col">
      {sessions.map(({ id, createdAt, lastSeenAt, ip, userAgent }) => (
        <li key={id} className="flex flex-col gap-0.5 border-b border-hairline py-2 last:border-0">
          <span className="break-words">{userAgent}</span>
          <span className="flex flex-wrap gap-x-4 text-meta text-2">
            <span dir="ltr">{ip}</span>
            <span>
              {t('administrators.sessions.since')} <TimeText iso={createdAt} />
            </span>
            <span>
              {t('administrators.sessions.seen')} <TimeText iso={lastSeenAt} />
            </span>
          </span>
        </li>
      ))}
    </ul>
  </RecordSection>
);
