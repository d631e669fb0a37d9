import { useQuery } from '@tanstack/react-query';
import ExternalLink from 'lucide-react/icons/external-link';
import type { ReactNode } from 'react';
import { chainQuery, explorerUrl, type OnChain as What } from '../../explorer.ts';
import { t } from '../../i18n/i18n.ts';
import { queryClient } from '../../net/query.ts';
import { Address } from './address.tsx';
import { NamedAddress } from './named-address.tsx';

/** Leads to a block explorer, out of the panel: nothing where the chain has none that anybody can open. */
function ExplorerLink(what: What) {
  const { data } = useQuery(chainQuery, queryClient);
  const url = explorerUrl(data, what);
  if (!url) return null;
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer nofollow"
      aria-label={t('value.explorer', { host: new URL(url).host })}
      className="inline-flex h-6 w-6 shrink-0 items-center justify-center rounded-chip text-2 hover:text-1"
    >
      <ExternalLink size={14} aria-hidden="true" />
    </a>
  );
}

/** A transaction, or an address with the name that people signed for it, and its link; `short`: cut as in a row. `children` stand in place of it. */
export function OnChain({ short = false, children, ...link }: What & { short?: boolean; children?: ReactNode }) {
  const Shown = link.kind === 'address' ? NamedAddress : Address;
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1 align-bottom">
      {children ?? <Shown value={link.value} whole={!short} />}
      <ExplorerLink {...link} />
    </span>
  );
}
