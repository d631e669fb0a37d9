import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { positionTarget } from '../../commands/crsm/commands.ts';
import { CommandItem, CommandTrigger } from '../../commands/ui/controls/command-trigger.tsx';
import { $evmWallet } from '../../lib/evm/store.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { bilingualName } from '../../lib/i18n/name-of.ts';
import { api } from '../../lib/net/client.ts';
import { queryClient } from '../../lib/net/query.ts';
import { $codeSet, $permittedPaths } from '../../lib/session/session.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { Menu } from '../../lib/ui/overlay/menu.tsx';

/** Creates a CRSM for a position of the connected account. Without such a position, opens the position list. */
export function CreateCrsm() {
  const owner = useStore($evmWallet)?.account;
  const canCreate = useStore($codeSet).has('crsm.create');
  const canOpenPositions = useStore($permittedPaths).has('/CRSMTrove/positionList');
  const { data, isLoading } = useQuery(
    {
      queryKey: ['positions', 'withoutCrsm', owner],
      queryFn: ({ signal }) =>
        api.crsm.positions(
          { sort: 'icr', direction: 'asc', filter: { owner, kept: 'false' }, cursor: null, limit: 20 },
          { signal },
        ),
      enabled: owner !== undefined && canCreate && canOpenPositions,
    },
    queryClient,
  );
  if (!canCreate) return null;
  const targets = data?.rows.map(positionTarget) ?? [];
  const [firstTarget, ...otherTargets] = targets;
  const hasMore = data !== undefined && data.nextCursor !== null;
  if (isLoading) {
    const reason = t('crsm.loadingPositions');
    return (
      <Button look="primary" icon={<Icon name="plus" />} aria-disabled data-tip={reason}>
        {bilingualName('crsm.create')}
        <span className="sr-only">{reason}</span>
      </Button>
    );
  }
  if (!firstTarget) return <CommandTrigger id="go.positionList" label={t('crsm.choosePosition')} look="primary" hidesKeys />;
  if (otherTargets.length === 0 && !hasMore)
    return <CommandTrigger id="crsm.create" targets={[firstTarget]} look="primary" hidesKeys />;
  return (
    <Menu
      align="end"
      opener={(openerProps) => (
        <Button {...openerProps} look="primary" icon={<Icon name="plus" />}>
          {bilingualName('crsm.create')}
        </Button>
      )}
    >
      {targets.map((target) => (
        <CommandItem key={target.id} id="crsm.create" targets={[target]} label={target.name} hidesKeys />
      ))}
      {hasMore && <CommandItem id="go.positionList" label={t('crsm.allPositions')} hidesKeys />}
    </Menu>
  );
}
