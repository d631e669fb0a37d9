import { useEffect } from 'react';
import type { StatementRow } from '../../../../api/authority/contract.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { StatementContent, StatementHash, useOwnHash } from './authority/content.tsx';
import type { PanelProps } from './panel-props.ts';

/** What somebody is about to sign: all of it, and its hash as this page computes it. */
export function AuthorityPanel({ targets: [target], block }: PanelProps) {
  return target?.entity === 'statements' ? <Reviewed row={target.row} block={block} /> : null;
}

function Reviewed({ row, block }: { row: StatementRow } & Pick<PanelProps, 'block'>) {
  const own = useOwnHash(row.statement);
  const why = own === undefined ? t('form.reviewWaits') : own === row.id ? null : t('authority.differs');
  useEffect(() => block?.(why), [why, block]);
  return (
    <div className="flex flex-col gap-4 py-2">
      <p className="font-medium">
        #{row.number} · {t(`authority.kind.${row.statement.kind}`)}
      </p>
      <StatementContent statement={row.statement} />
      <StatementHash own={own} hash={row.id} />
    </div>
  );
}
