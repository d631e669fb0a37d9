import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { IdentityStatus } from '../../../../api/access/identity.ts';
import { administratorTarget } from '../../../commands/access/administrators.ts';
import { CommandTrigger } from '../../../commands/ui/controls/command-trigger.tsx';
import { t } from '../../../lib/i18n/i18n.ts';
import { api } from '../../../lib/net/client.ts';
import { queryClient } from '../../../lib/net/query.ts';
import type { Target } from '../../../lib/scope.ts';
import { $permittedPaths } from '../../../lib/session/session.ts';
import { Section } from '../../../lib/ui/section.tsx';
import { TimeText } from '../../../lib/ui/value/time.tsx';

type ConflictRow = IdentityStatus['provisioning']['conflicts'][number];
const administratorScreen = '/permissions/administrator';

/** Users that the panel refused to create. A person can turn on provisioning for the existing account. */
export function Conflicts({ conflicts }: { conflicts: readonly ConflictRow[] }) {
  const ids = conflicts.flatMap(({ reason, administratorId }) => (reason === 'email' ? administratorId : []));
  const canOpen = useStore($permittedPaths).has(administratorScreen);
  const { data: accounts = [] } = useQuery(
    {
      queryKey: ['administrators', 'many', ids],
      queryFn: ({ signal }) => api.administrators.many({ ids }, { signal }),
      enabled: canOpen && ids.length > 0,
    },
    queryClient,
  );
  if (conflicts.length === 0) return null;
  return (
    <Section title={t('identity.conflicts.title')} intro={t('identity.conflicts.intro')}>
      <ul className="flex flex-col">
        {conflicts.map((conflict) => (
          <Conflict
            key={conflict.id}
            of={conflict}
            canOpen={canOpen}
            targets={accounts.filter(({ id }) => id === conflict.administratorId).map(administratorTarget)}
          />
        ))}
      </ul>
    </Section>
  );
}

interface ConflictProps {
  of: ConflictRow;
  canOpen: boolean;
  /** The account with the email. Empty until it is loaded. */
  targets: readonly Target[];
}

function Conflict({ of: { id, administratorId, email, userName, reason, lastAt }, canOpen, targets }: ConflictProps) {
  const isHeld = reason === 'email';
  return (
    <li
      data-conflict={id}
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-hairline py-2 text-body first:pt-0 last:border-0"
    >
      <span className="me-auto flex min-w-0 flex-col gap-0.5">
        <span className="flex flex-wrap items-baseline gap-x-3">
          {isHeld && canOpen ? (
            <Link
              href={`${administratorScreen}?open=${administratorId}`}
              className="rounded-chip font-medium wrap-anywhere text-accent-text hover:underline"
            >
              {email}
            </Link>
          ) : (
            <span className="font-medium wrap-anywhere">{isHeld ? email : userName}</span>
          )}
          {isHeld && userName !== email && <span className="text-2 wrap-anywhere">{userName}</span>}
          <span className="text-meta text-2">
            <TimeText iso={lastAt} />
          </span>
        </span>
        <span className="text-2">{t(`identity.reason.${reason}`)}</span>
      </span>
      {targets.length > 0 && (
        <CommandTrigger
          id="administrators.letIdpManage"
          targets={targets}
          label={t('administrators.act.letIdpManage')}
          hidesKeys
        />
      )}
    </li>
  );
}
