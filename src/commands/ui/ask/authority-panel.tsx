import { useEffect } from 'react';
import type { StatementRow } from '../../../../api/authority/contract.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { errorText } from '../../../lib/net/errors.ts';
import { StatementContent, StatementHash, useOwnHash, type OwnHash } from './authority/content.tsx';
import type { PanelProps } from './panel-props.ts';

/** What somebody is about to sign: all of it, and its hash as this page computes it. */
export function AuthorityPanel({ targets: [target], block }: PanelProps) {
  return target?.entity === 'statements' ? <Reviewed row={target.row} block={block} /> : null;
}

/** Why it cannot be signed: its hash is not computed yet, cannot be, or is another. */
function against({ hash, error }: OwnHash, id: string): string | null {
  if (hash !== undefined) return hash === id ? null : t('authority.differs');
  return error ? errorText(error) : t('form.reviewWaits');
}

function Reviewed({ row, block }: { row: StatementRow } & Pick<PanelProps, 'block'>) {
  const own = useOwnHash(row.statement);
  const why = against(own, row.id);
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
