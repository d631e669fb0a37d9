import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { OwnAccount } from '../../../api/account/contract.ts';
import { account, ownSessionTarget, passkeyTarget } from '../../commands/account/commands.ts';
import { runCommand } from '../../commands/app/app.ts';
import { registry } from '../../commands/app/registry.ts';
import { CommandTrigger } from '../../commands/ui/controls/command-trigger.tsx';
import { api } from '../../lib/net/client.ts';
import { errorText } from '../../lib/net/errors.ts';
import { roleText } from '../../lib/i18n/role-text.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { $expert } from '../../lib/prefs/prefs.ts';
import { queryClient } from '../../lib/net/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Chip } from '../../lib/ui/value/chip.tsx';
import { PageHeader } from '../../lib/ui/page.tsx';
import { Section } from '../../lib/ui/section.tsx';
import { Skeleton } from '../../lib/ui/skeleton.tsx';
import { TimeText } from '../../lib/ui/value/time.tsx';
import { describeBrowser } from '../../lib/user-agent.ts';
import { AccountSso } from './sso.tsx';
import { AccountWallet } from './wallet.tsx';

registry.add(account);

export function Account() {
  const { data, error, refetch } = useQuery(
    { queryKey: ['account'], queryFn: ({ signal }) => api.account.get(undefined, { signal }) },
    queryClient,
  );
  return (
    <>
      <PageHeader title={t('account.title')} />
      <div className="flex max-w-200 flex-col gap-8 px-4 pb-10">
        {data ? (
          <AccountDetails own={data} />
        ) : error ? (
          <div role="alert" className="flex items-center gap-3 text-body">
            {errorText(error)}
            <Button onClick={() => void refetch()}>{t('common.retry')}</Button>
          </div>
        ) : (
          <Skeleton lines={8} />
        )}
      </div>
    </>
  );
}

function AccountDetails({ own }: { own: OwnAccount }) {
  const hasFactor = own.totp || own.passkeys.length > 0;
  const isExpert = useStore($expert);
  const isFactorNext = own.factorNeeded && !hasFactor && !own.passwordNeeded;
  useEffect(() => {
    if (isFactorNext) runCommand({ id: 'account.addTotp' }, 'button'); // nothing else is available before that
  }, [isFactorNext]);
  return (
    <>
      {own.passwordNeeded && (
        <p role="status" className="rounded-control bg-warn-bg px-3 py-2 text-body text-warn-text">
          {t('account.passwordNeeded')}
        </p>
      )}
      {isFactorNext && (
        <p role="status" className="rounded-control bg-warn-bg px-3 py-2 text-body text-warn-text">
          {t('account.factor.needed')}
        </p>
      )}
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-body">
        <dt className="text-2">{t('account.email')}</dt>
        <dd className="break-all">{own.email}</dd>
        <dt className="text-2">{t('account.roles')}</dt>
        <dd>{own.roles.map(roleText).join(' · ') || t('account.noRoles')}</dd>
      </dl>
      <Section title={t('account.passwordTitle')} actions={own.hasPassword && <CommandTrigger id="session.changePassword" />}>
        <p className="text-body text-2">
          {!own.hasPassword ? (
            t('account.noPassword')
          ) : own.passwordChangedAt === null ? (
            t('account.unchanged')
          ) : (
            <>
              {t('account.changed')} <TimeText iso={own.passwordChangedAt} />
            </>
          )}
        </p>
      </Section>
      {/* A required password comes first. */}
      {!own.passwordNeeded && (
        <>
          <Section
            title={t('account.factor.title')}
            actions={
              <>
                {own.totp ? <CommandTrigger id="account.removeTotp" /> : <CommandTrigger id="account.addTotp" />}
                <CommandTrigger id="account.addPasskey" />
                {hasFactor && <CommandTrigger id="account.newRecoveryCodes" />}
              </>
            }
          >
            {own.factorGap && (
              <div role="status" className="flex flex-col items-start gap-2 rounded-control bg-warn-bg px-3 py-2 text-body">
                <p className="text-warn-text">{t(`account.factor.gap.${own.factorGap}`)}</p>
                {own.factorGap === 'VOUCH' && <CommandTrigger id="account.useEnrollmentCode" />}
              </div>
            )}
            <dl className="grid grid-cols-[auto_1fr] items-center gap-x-6 gap-y-2 text-body">
              <dt className="text-2">{t('account.totp.name')}</dt>
              <dd>{t(own.totp ? 'account.totp.on' : 'account.totp.off')}</dd>
              {hasFactor && (
                <>
                  <dt className="text-2">{t('account.codes.title')}</dt>
                  <dd className="tabular-nums">{t('account.codes.left', { n: own.recoveryLeft })}</dd>
                </>
              )}
              <dt className="text-2">{t('account.passkey.title')}</dt>
              <dd>
                {own.passkeys.length === 0 ? (
                  t('account.passkey.none')
                ) : (
                  <ul className="flex flex-col gap-1">
                    {own.passkeys.map((key) => (
                      <li key={key.id} className="flex flex-wrap items-center gap-x-3">
                        <span className="break-all">{key.name}</span>
                        <span className="text-meta text-2">
                          {t('account.passkey.used')} <TimeText iso={key.lastUsedAt} />
                        </span>
                        <CommandTrigger id="account.removePasskey" targets={[passkeyTarget(key)]} compact />
                      </li>
                    ))}
                  </ul>
                )}
              </dd>
            </dl>
          </Section>
          <AccountSso sso={own.sso} />
          <AccountWallet address={own.walletAddress} />
        </>
      )}
      <Section
        title={t('account.sessions.title')}
        actions={own.sessions.length > 1 && <CommandTrigger id="account.endOtherSessions" />}
      >
        <Sessions own={own} />
      </Section>
      <Section
        title={t('account.expert.title')}
        actions={<CommandTrigger id="qa.toggle" label={t(isExpert ? 'account.expert.hide' : 'account.expert.show')} />}
      >
        <p className="text-body text-2">{t('account.expert.what')}</p>
      </Section>
    </>
  );
}

/** Narrow: each session is a list of named lines. */
const sessionRow = 'border-b border-hairline @max-2xl:grid @max-2xl:grid-cols-[1fr_auto] @max-2xl:gap-x-4 @max-2xl:py-2';
const sessionFact =
  'py-1 pe-4 @max-2xl:col-span-full @max-2xl:flex @max-2xl:justify-between @max-2xl:gap-4 @max-2xl:py-0.5 @max-2xl:pe-0 @max-2xl:before:text-2 @max-2xl:before:content-[attr(data-label)]';

function Sessions({ own }: { own: OwnAccount }) {
  return (
    <div className="@container">
      <table className="w-full text-start text-body">
        <thead className="text-meta text-2 @max-2xl:sr-only">
          <tr className="border-b border-hairline">
            {(['browser', 'address', 'seen', 'began'] as const).map((column) => (
              <th key={column} scope="col" className="py-1 pe-4 text-start font-medium whitespace-nowrap">
                {t(`account.sessions.${column}`)}
              </th>
            ))}
            <th scope="col">
              <span className="sr-only">{t('list.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {own.sessions.map((row) => (
            <tr key={row.id} className={sessionRow} data-session={row.current ? 'current' : row.id}>
              <td className="py-1 pe-4" title={row.userAgent}>
                {describeBrowser(row.userAgent)} {row.current && <Chip state="done">{t('account.sessions.current')}</Chip>}
              </td>
              <td className={sessionFact} data-label={t('account.sessions.address')}>
                <span className="inline-block min-w-28 font-mono break-all">{row.ip}</span>
              </td>
              <td className={sessionFact} data-label={t('account.sessions.seen')}>
                <TimeText iso={row.lastSeenAt} />
              </td>
              <td className={sessionFact} data-label={t('account.sessions.began')}>
                <span>
                  <TimeText iso={row.createdAt} /> <span className="text-2">{t(`account.sessions.method.${row.method}`)}</span>
                </span>
              </td>
              <td className="text-end @max-2xl:col-start-2 @max-2xl:row-start-1">
                {!row.current && <CommandTrigger id="account.endSession" targets={[ownSessionTarget(row)]} compact />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
