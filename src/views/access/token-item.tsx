import type { ReactNode } from 'react';
import type { AnyToken } from '../../../api/access/tokens.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { Details, type Facts } from '../../lib/ui/record/details.tsx';
import { Chip } from '../../lib/ui/value/chip.tsx';
import { TimeText } from '../../lib/ui/value/time.tsx';

const chips = { live: 'done', replaced: 'pending', expired: 'off', revoked: 'refused' } as const;

interface TokenItemProps {
  of: AnyToken;
  actions: ReactNode;
  /** Before the others. */
  facts?: Facts;
}

/** A token of a service account or of the provider, also one that has ended. */
export function TokenItem({ of: token, actions, facts = {} }: TokenItemProps) {
  const { id, name, lastFour, state, networks, expiresAt, creatorEmail } = token;
  return (
    <li data-token={id} className="flex flex-col gap-1 border-b border-hairline py-3 first:pt-0 last:border-0">
      <span className="flex flex-wrap items-center gap-2">
        <span className="font-medium wrap-anywhere">{name}</span>
        <span className="font-mono text-meta text-2" dir="ltr">
          …{lastFour}
        </span>
        <Chip state={chips[state]}>{t(`services.state.${state}`)}</Chip>
        <span className="ms-auto flex gap-2 empty:hidden">{actions}</span>
      </span>
      <Details
        of={{
          ...facts,
          'services.field.networks':
            networks.length === 0 ? t('services.everywhere') : <span dir="ltr">{networks.join(', ')}</span>,
          'services.field.expiresAt': <TimeText iso={expiresAt} />,
          'services.field.lastUsed': <LastUse of={token} />,
          'services.field.creator': creatorEmail,
          'services.field.revokedAt': token.revokedAt !== null && <Revocation of={token} at={token.revokedAt} />,
        }}
      />
    </li>
  );
}

const LastUse = ({ of: { lastUsedAt, lastIp } }: { of: AnyToken }) =>
  lastUsedAt === null ? (
    t('services.never')
  ) : (
    <span className="flex flex-wrap gap-x-3">
      <TimeText iso={lastUsedAt} /> <span dir="ltr">{lastIp}</span>
    </span>
  );

const Revocation = ({ of: { revokedReason, revokedBy }, at }: { of: AnyToken; at: string }) => (
  <span className="flex flex-wrap gap-x-3">
    <TimeText iso={at} />
    {revokedReason && <span>{t(`services.reason.${revokedReason}`)}</span>}
    {revokedBy && <span>{revokedBy}</span>}
  </span>
);
