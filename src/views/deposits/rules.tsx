import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { MintRuleRow } from '../../../api/deposits/contract.ts';
import { mintRuleTarget } from '../../commands/deposits/commands.ts';
import { Run } from '../../commands/ui/controls/run.tsx';
import { api } from '../../lib/net/client.ts';
import { formatUnits } from '../../../api/money.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { queryClient } from '../../lib/net/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Chip } from '../../lib/ui/value/chip.tsx';
import { ruleText } from '../../commands/ui/ask/deposit/fields.tsx';
import { Drawer } from '../../lib/ui/overlay/drawer.tsx';
import { leaveOut } from '../../lib/ui/record/open-record.ts';
import { Skeleton } from '../../lib/ui/skeleton.tsx';

const btc = (satoshi: string) => formatUnits(BigInt(satoshi), 8);
const close = () => leaveOut('rules');

/** What confirming asks for, by amount: to be known before one asks a colleague. */
export function MintRules() {
  const { data, error, refetch } = useQuery(
    { queryKey: ['depositRules'], queryFn: ({ signal }) => api.deposits.policies(undefined, { signal }) },
    queryClient,
  );
  return (
    <Drawer open onClose={close} title={t('deposits.rule.title')}>
      {error ? (
        <p className="flex items-center gap-2 text-2">
          {t('deposits.rule.failed')}
          <Button onClick={() => void refetch()}>{t('common.retry')}</Button>
        </p>
      ) : data ? (
        <div data-rules data-record className="flex flex-col gap-4">
          {data.frozen && (
            <p role="alert">
              <Chip state="failed">{t('deposits.rule.frozen')}</Chip>
            </p>
          )}
          <ul className="flex flex-col gap-3">
            {data.rules.map((rule) => (
              <Rule key={rule.id} rule={rule} />
            ))}
          </ul>
          <Run id="deposits.addRule" />
          <p className="text-2">{t('deposits.rule.gap')}</p>
          <p className="text-2">
            {data.fourEyesFrom === '0'
              ? t('deposits.rule.fourEyesAlways')
              : t('deposits.rule.fourEyes', { amount: btc(data.fourEyesFrom) })}
          </p>
          <p className="text-2">{t('deposits.rule.confirmations', { n: data.confirmations })}</p>
        </div>
      ) : (
        <Skeleton lines={4} />
      )}
    </Drawer>
  );
}

function Rule({ rule }: { rule: MintRuleRow }) {
  const targets = useMemo(() => [mintRuleTarget(rule)], [rule]);
  return (
    <li className="rounded-control border border-hairline p-3">
      <p className="font-medium tabular-nums">
        {rule.below === null
          ? t('deposits.rule.above', { from: btc(rule.from) })
          : t('deposits.rule.range', { from: btc(rule.from), below: btc(rule.below) })}
      </p>
      <p className="text-2">{ruleText(rule)}</p>
      {rule.perDay !== null && (
        <p className="text-meta text-2 tabular-nums">{t('deposits.rule.used', { amount: btc(rule.used) })}</p>
      )}
      <div className="flex flex-wrap gap-2 pt-2 empty:hidden">
        <Run id="deposits.editRule" targets={targets} />
        <Run id="deposits.deleteRule" targets={targets} />
      </div>
    </li>
  );
}
