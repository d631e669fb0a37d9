import { useQuery } from '@tanstack/react-query';
import ExternalLink from 'lucide-react/icons/external-link';
import type { ReactNode } from 'react';
import { chainQuery, explorerUrl, type ExplorerTarget } from '../../explorer.ts';
import { t } from '../../i18n/i18n.ts';
import { queryClient } from '../../net/query.ts';
import { Address } from './address.tsx';
import { NamedAddress } from './named-address.tsx';

/** Nothing if the chain has no public explorer. */
function ExplorerLink(target: ExplorerTarget) {
  const { data } = useQuery(chainQuery, queryClient);
  const url = explorerUrl(data, target);
  if (!url) return null;
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer nofollow"
      aria-label={t('value.explorer', { host: new URL(url).host })}
      className="-my-0.5 inline-flex h-6 w-6 shrink-0 items-center justify-center rounded-chip text-2 hover:text-1"
    >
      <ExternalLink size={14} aria-hidden="true" />
    </a>
  );
}

/** `short`: shortened as in rows. `children` replace the value. */
export function OnChainLink({ short = false, children, ...link }: ExplorerTarget & { short?: boolean; children?: ReactNode }) {
  const AddressComponent = link.kind === 'address' ? NamedAddress : Address;
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1 align-bottom">
      {children ?? <AddressComponent value={link.value} whole={!short} />}
      <ExplorerLink {...link} />
    </span>
  );
}
