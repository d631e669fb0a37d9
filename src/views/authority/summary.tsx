import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import Copy from 'lucide-react/icons/copy';
import { useEffect, type ReactNode } from 'react';
import { Link, useSearch } from 'wouter';
import type { AuthoritySummary as Summary } from '../../../api/authority/contract.ts';
import type { AuthorityBand } from '../../../api/authority/statements.ts';
import { $authority } from '../../commands/authority/state.ts';
import { CommandTrigger } from '../../commands/ui/controls/command-trigger.tsx';
import { btcText, secondsText } from '../../lib/authority/words.ts';
import { copyText } from '../../lib/clipboard.ts';
import { formatTime } from '../../lib/format.ts';
import { tSpaced } from '../../lib/i18n/cjk-spacing.ts';
import { roleText } from '../../lib/i18n/role-text.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { api, ApiError } from '../../lib/net/client.ts';
import { errorText } from '../../lib/net/errors.ts';
import { queryClient } from '../../lib/net/query.ts';
import { $codeSet, $loginEmail } from '../../lib/session/session.ts';
import { IconButton } from '../../lib/ui/button.tsx';
import { Skeleton } from '../../lib/ui/skeleton.tsx';
import { Address } from '../../lib/ui/value/address.tsx';
import { Chip } from '../../lib/ui/value/chip.tsx';
import { UnreadValue } from '../../lib/ui/value/unread.tsx';

/** The state of the log, refreshed every 30 seconds and used by commands (commands/authority/state.ts). */
export function useAuthority() {
  const { data, error, refetch } = useQuery(
    {
      queryKey: ['authority', 'summary'],
      queryFn: ({ signal }) => api.authority.summary(undefined, { signal }),
      refetchInterval: 30_000,
    },
    queryClient,
  );
  useEffect(() => $authority.set(data ?? null), [data]);
  const isUnavailable = !data && error instanceof ApiError && error.code === 'UNAVAILABLE' && error.requestId !== null;
  return { data, error, refetch, isUnavailable };
}

const maxListedItems = 12;

/** People, rules and addresses, and what is waiting for the viewer. */
export function AuthorityAside({ data, error, refetch }: Omit<ReturnType<typeof useAuthority>, 'isUnavailable'>) {
  // Beside an open record there is no room for a third column.
  const isBesideRecord = new URLSearchParams(useSearch()).has('open');
  return (
    <aside
      data-authority
      aria-label={t('authority.summary.title')}
      className={`${isBesideRecord ? 'hidden' : 'flex'} shrink-0 flex-col gap-5 border-t border-hairline p-4 xl:w-80 xl:overflow-y-auto xl:border-s xl:border-t-0`}
    >
      {data ? (
        <AuthorityStatus data={data} />
      ) : error ? (
        <UnreadValue words={errorText(error)} retry={refetch} />
      ) : (
        <Skeleton lines={8} />
      )}
    </aside>
  );
}

function AuthorityStatus({ data }: { data: Summary }) {
  return (
    <>
      <OwnTasks data={data} />
      <Freezes data={data} />
      <Rules data={data} />
      <People data={data} />
      <Minters data={data} />
      <Custody data={data} />
      <Receivers data={data} />
      <LogEnds data={data} />
    </>
  );
}

interface PartProps {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}

const Part = ({ title, actions, children }: PartProps) => (
  <section aria-label={title} className="flex flex-col gap-1.5">
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-hairline pb-1">
      <h2 className="flex-1 text-meta font-medium text-2">{title}</h2>
      {actions}
    </div>
    {children}
  </section>
);

function OwnTasks({ data: { waiting, own, development } }: { data: Summary }) {
  const isDemo = development && own.every(({ type }) => type === 'software');
  const maySign = useStore($codeSet).has('authority.sign');
  return (
    <section aria-label={t('authority.summary.waiting')} className="flex flex-col gap-1.5">
      {waiting > 0 && maySign ? (
        <Link
          data-mine={waiting}
          href="/selfCustody/authority?mine=true"
          className="self-start rounded-chip font-medium text-accent-text hover:underline"
        >
          {t('authority.summary.waits', { count: waiting })}
        </Link>
      ) : (
        <p className="text-2">{t('authority.summary.nothing')}</p>
      )}
      {maySign && own.length === 0 && !development && <p className="text-2">{t('authority.summary.ownNone')}</p>}
      {maySign && isDemo && <p className="text-2">{t('authority.summary.ownSoftware')}</p>}
      {development && (
        <p data-development className="rounded-control bg-warn-bg px-2.5 py-1.5 text-meta text-warn-text">
          {t('authority.summary.development')}
        </p>
      )}
    </section>
  );
}

const Freezes = ({ data: { freezes } }: { data: Summary }) => (
  <Part title={t('authority.summary.freezes')} actions={<CommandTrigger id="authority.freeze" compact look="ghost" />}>
    {freezes.length === 0 && <p className="text-2">{t('authority.blocked.noFreezes')}</p>}
    <ul className="flex flex-col gap-2">
      {freezes.map(({ freeze, reason }) => (
        <li key={freeze} className="flex flex-col items-start gap-1">
          <Chip state="failed">
            #{freeze} {t('authority.kind.freeze')}
          </Chip>
          <span className="break-words whitespace-pre-wrap">{reason}</span>
          <CommandTrigger id="authority.unfreeze" params={{ freeze }} look="danger" />
        </li>
      ))}
    </ul>
  </Part>
);

const Rules = ({ data: { rules } }: { data: Summary }) => (
  <Part title={t('authority.summary.rules')} actions={<CommandTrigger id="authority.setRules" compact look="ghost" />}>
    <div className="flex flex-col gap-4">
      {rules.map(({ number, policy, from, inForce, used }) => (
        <div key={number} className="flex flex-col gap-1.5">
          <p className="flex flex-wrap items-center gap-2">
            <Chip state={inForce ? 'done' : 'processing'}>
              {inForce ? t('authority.summary.inForce') : t('authority.summary.cooling', { time: formatTime(from ?? '') })}
            </Chip>
            <Link
              href={`/selfCustody/authority?kind=${number === 0 ? 'genesis' : 'policy.set'}`}
              className="inline-flex h-6 min-w-6 items-center justify-center text-meta text-2"
            >
              #{number}
            </Link>
          </p>
          <Bands policy={policy} used={used} />
        </div>
      ))}
    </div>
  </Part>
);

function Bands({ policy, used }: Pick<Summary['rules'][number], 'policy' | 'used'>) {
  const { bands, refundBands, root, coolingSeconds, receivers } = policy;
  return (
    <>
      <BandTable title={t('authority.rules.mintTitle')} bands={bands} used={used} />
      {refundBands.length > 0 ? (
        <BandTable title={t('authority.rules.refundTitle')} bands={refundBands} used={null} />
      ) : (
        <p className="text-meta text-2">{t('authority.rules.noRefunds')}</p>
      )}
      <p className="text-meta text-2">{t('authority.rules.root', { count: root })}</p>
      <p className="text-meta text-2">{t('authority.rules.cooling', { time: secondsText(coolingSeconds) })}</p>
      <p className="text-meta text-2">{t(`authority.rules.receivers.${receivers}`)}</p>
    </>
  );
}

interface BandTableProps {
  title: string;
  bands: readonly AuthorityBand[];
  used: Summary['rules'][number]['used'];
}

function BandTable({ title, bands, used }: BandTableProps) {
  const headerClass = 'py-1 pe-3 text-start text-meta font-medium text-2';
  const cell = 'py-1 pe-3 align-top tabular-nums';
  return (
    <div className="overflow-x-auto">
      <table className="w-full">
        <caption className="text-start text-meta text-2">{title}</caption>
        <thead>
          <tr className="border-b border-hairline">
            {(['amount', 'people', 'ofRole', 'limit', 'wait'] as const).map((name) => (
              <th key={name} scope="col" className={headerClass}>
                {t(`authority.band.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bands.map(({ from, below, approvals, role, perDay, delaySeconds }, index) => (
            <tr key={from} className="border-b border-hairline last:border-0">
              <td className={`${cell} whitespace-nowrap`}>
                {below === null ? `≥ ${btcText(from)}` : `${btcText(from)} – ${btcText(below)}`}
              </td>
              <td className={cell}>{approvals}</td>
              <td className={cell}>{role === null ? t('authority.band.any') : roleText(role)}</td>
              <td className={cell}>
                {perDay === null ? t('authority.band.any') : btcText(perDay)}
                {used && perDay !== null && (
                  <span className="block text-meta text-2">
                    {t('authority.band.used', { amount: btcText(used[index] ?? '0') })}
                  </span>
                )}
              </td>
              <td className={cell}>{secondsText(delaySeconds)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function People({ data: { people } }: { data: Summary }) {
  const email = $loginEmail.get();
  return (
    <Part title={t('authority.summary.people')} actions={<CommandTrigger id="authority.removeApprover" compact look="ghost" />}>
      {people.length === 0 && <p className="text-2">{t('authority.summary.noPeople')}</p>}
      <ul className="flex flex-col gap-1.5">
        {people.map(({ person, name, roles, keys }) => (
          <li key={person} className="flex flex-col">
            <span className="flex flex-wrap items-baseline gap-x-2">
              <span className="min-w-0 break-all font-medium">{name}</span>
              {name === email && <span className="text-meta text-2">{t('authority.summary.you')}</span>}
              {roles.length > 0 && <span className="text-meta text-2">{roles.map(roleText).join(' · ')}</span>}
            </span>
            <ul className="flex flex-wrap gap-x-3 gap-y-1 text-meta text-2">
              {keys.map(({ key, from, cooling }) => {
                const id = key.type === 'wallet' ? key.address : key.type === 'passkey' ? key.credential : key.publicKey;
                return (
                  <li key={id} className="flex items-center gap-1.5">
                    {t(`authority.key.${key.type}`)}
                    {key.type !== 'software' && <Address value={id} />}
                    {cooling && (
                      <Chip state="processing">{t('authority.summary.cooling', { time: formatTime(from ?? '') })}</Chip>
                    )}
                  </li>
                );
              })}
            </ul>
          </li>
        ))}
      </ul>
    </Part>
  );
}

const CoolingStatements = ({ from }: { from: string | null }) => (
  <Chip state="processing">{t('authority.summary.cooling', { time: formatTime(from ?? '') })}</Chip>
);

const MoreCount = ({ of }: { of: readonly unknown[] }) =>
  of.length > maxListedItems ? (
    <p className="text-meta text-2">{t('authority.summary.more', { count: of.length - maxListedItems })}</p>
  ) : null;

const Minters = ({ data: { minters } }: { data: Summary }) => (
  <Part title={t('authority.summary.minter')} actions={<CommandTrigger id="authority.setMinter" compact look="ghost" />}>
    <ul className="flex flex-col gap-1">
      {minters.map(({ address, from, cooling }) => (
        <li key={`${address} ${from}`} className="flex flex-wrap items-center gap-x-2">
          <Address value={address} whole />
          {cooling && <CoolingStatements from={from} />}
        </li>
      ))}
    </ul>
  </Part>
);

const Custody = ({ data: { custody } }: { data: Summary }) => (
  <Part
    title={t('authority.summary.custody')}
    actions={
      <>
        <CommandTrigger id="authority.addCustody" compact look="ghost" />
        <CommandTrigger id="authority.removeCustody" compact look="ghost" />
      </>
    }
  >
    {custody.length === 0 && <p className="text-2">{t('authority.summary.noCustody')}</p>}
    <ul className="flex flex-col gap-1">
      {custody.slice(0, maxListedItems).map(({ address, from, cooling }) => (
        <li key={address} className="flex flex-wrap items-center gap-x-2">
          <Address value={address} whole />
          {cooling && <CoolingStatements from={from} />}
        </li>
      ))}
    </ul>
    <MoreCount of={custody} />
  </Part>
);

const Receivers = ({ data: { receivers } }: { data: Summary }) => (
  <Part
    title={t('authority.summary.receivers')}
    actions={
      <>
        <CommandTrigger id="authority.addReceiver" compact look="ghost" />
        <CommandTrigger id="authority.removeReceiver" compact look="ghost" />
      </>
    }
  >
    {receivers.length === 0 && <p className="text-2">{t('authority.summary.noReceivers')}</p>}
    <ul className="flex flex-col gap-1.5">
      {receivers.slice(0, maxListedItems).map(({ receiver: { address, institution }, from, cooling }) => (
        <li key={address} className="flex flex-col">
          <span className="flex flex-wrap items-center gap-x-2 font-medium">
            {institution}
            {cooling && <CoolingStatements from={from} />}
          </span>
          <Address value={address} whole />
        </li>
      ))}
    </ul>
    <MoreCount of={receivers} />
  </Part>
);

const LogEnds = ({ data: { head, genesis } }: { data: Summary }) => (
  <Part title={t('authority.summary.log')}>
    <Hash name={`${t('authority.summary.head')} #${head.number}`} value={head.hash} />
    <Hash name={t('authority.summary.genesis')} value={genesis} />
  </Part>
);

const Hash = ({ name, value }: { name: string; value: string }) => (
  <div className="flex items-start gap-1">
    <span className="min-w-0 flex-1">
      <span className="block text-meta text-2">{name}</span>
      <Address value={value} whole />
    </span>
    <IconButton
      label={tSpaced('value.copyOf', 'label', name)}
      icon={<Copy size={14} aria-hidden="true" />}
      className="h-6! w-6! shrink-0"
      onClick={() => void copyText(value)}
    />
  </div>
);
