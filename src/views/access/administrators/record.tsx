import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AdministratorDetails, AdministratorRow } from '../../../../api/access/administrators.ts';
import { administratorTarget } from '../../../commands/access/administrators.ts';
import { CommandTrigger } from '../../../commands/ui/controls/command-trigger.tsx';
import { api } from '../../../lib/net/client.ts';
import { roleText } from '../../../lib/i18n/role-text.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { queryClient } from '../../../lib/net/query.ts';
import type { Target } from '../../../lib/scope.ts';
import { Address } from '../../../lib/ui/value/address.tsx';
import { useOpenRecord } from '../../../lib/ui/record/open-record.ts';
import { RecordSheet } from '../../../lib/ui/record/peek.tsx';
import { isMissingError } from '../../../lib/ui/record/use-record.ts';
import { Time } from '../../../lib/ui/value/time.tsx';
import { AdministratorStatus, EmailCell, FactorCell, RolesCell } from './parts.tsx';
import { EffectiveRights } from './rights.tsx';

export function AdministratorRecord({ id }: { id: string }) {
  const { data, error } = useQuery(
    { queryKey: ['administrators', 'one', id], queryFn: ({ signal }) => api.administrators.details({ id }, { signal }) },
    queryClient,
  );
  const row = data?.row;
  const isGone = isMissingError(error);
  useOpenRecord(row, administratorTarget, isGone);
  const targets = useMemo(() => (row ? [administratorTarget(row)] : []), [row]);
  if (!data || !row || isGone) return null;
  return (
    <RecordSheet
      wide
      title={row.email}
      description={
        <span className="inline-flex gap-2 pt-1">
          <AdministratorStatus row={row} />
          {row.reach === 'own' && t('administrators.you')}
        </span>
      }
    >
      <div data-record className="flex flex-col gap-6">
        <Commands row={row} targets={targets} />
        <Fields row={row} />
        <EffectiveRights rights={data.rights} />
        <Sessions sessions={data.sessions} />
      </div>
    </RecordSheet>
  );
}

const Commands = ({ row, targets }: { row: AdministratorRow; targets: readonly Target[] }) => (
  <div className="flex flex-wrap gap-2">
    <CommandTrigger id="administrators.edit" targets={targets} />
    <CommandTrigger id={row.enabled ? 'administrators.disable' : 'administrators.enable'} targets={targets} />
    <CommandTrigger id="administrators.resetPassword" targets={targets} />
    <CommandTrigger id="administrators.resetFactor" targets={targets} />
    <CommandTrigger
      id={row.walletAddress === null ? 'administrators.bindWallet' : 'administrators.unbindWallet'}
      targets={targets}
    />
    <CommandTrigger id="administrators.viewAs" targets={targets} />
    <CommandTrigger id="administrators.endSessions" targets={targets} />
    <CommandTrigger id="administrators.delete" targets={targets} />
  </div>
);

const Fields = ({ row }: { row: AdministratorRow }) => (
  <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
    <dt className="text-2">{t('administrators.field.email')}</dt>
    <dd className="min-w-0 break-words">
      <EmailCell row={row} />
    </dd>
    <dt className="text-2">{t('administrators.field.roles')}</dt>
    <dd className="min-w-0">
      <RolesCell row={row} whole />
    </dd>
    <dt className="text-2">{t('administrators.field.description')}</dt>
    <dd className="min-w-0 break-words whitespace-pre-wrap">{roleText(row.description)}</dd>
    <dt className="text-2">{t('administrators.field.factor')}</dt>
    <dd>
      <FactorCell row={row} />
    </dd>
    <dt className="text-2">{t('administrators.field.wallet')}</dt>
    <dd className="min-w-0">{row.walletAddress === null ? '—' : <Address value={row.walletAddress} whole />}</dd>
    <dt className="text-2">{t('administrators.field.lastSeen')}</dt>
    <dd>{row.lastSeenAt === null ? t('administrators.never') : <Time iso={row.lastSeenAt} />}</dd>
    <dt className="text-2">{t('administrators.field.createdAt')}</dt>
    <dd>
      <Time iso={row.createdAt} />
    </dd>
  </dl>
);

const Sessions = ({ sessions }: Pick<AdministratorDetails, 'sessions'>) => (
  <section aria-labelledby="sessions-of" className="flex flex-col gap-2">
    <h3 id="sessions-of" className="text-label font-semibold">
      {t('administrators.sessions.title')}
    </h3>
    <p className="text-meta text-2">
      {sessions.length === 0 ? t('administrators.sessions.none') : t('administrators.sessions.count', { count: sessions.length })}
    </p>
    <ul className="flex flex-col">
      {sessions.map(({ id, createdAt, lastSeenAt, ip, userAgent }) => (
        <li key={id} className="flex flex-col gap-0.5 border-b border-hairline py-2 last:border-0">
          <span className="break-words">{userAgent}</span>
          <span className="flex flex-wrap gap-x-4 text-meta text-2">
            <span dir="ltr">{ip}</span>
            <span>
              {t('administrators.sessions.since')} <Time iso={createdAt} />
            </span>
            <span>
              {t('administrators.sessions.seen')} <Time iso={lastSeenAt} />
            </span>
          </span>
        </li>
      ))}
    </ul>
  </section>
);
