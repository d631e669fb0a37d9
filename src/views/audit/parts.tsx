import type { AuditRow } from '../../../api/audit/contract.ts';
import { shortenMiddle } from '../../lib/format.ts';
import { t, tMaybe } from '../../lib/i18n/i18n.ts';
import { Chip } from '../../lib/ui/value/chip.tsx';

/** Done or refused. */
export const AuditResult = ({ result }: { result: AuditRow['result'] }) => (
  <Chip state={result}>{t(result === 'done' ? 'audit.result.done' : 'audit.result.refused')}</Chip>
);

/** What it was done to: the kind of record, and its name or the ends of its id. */
export function RecordName({ row: { entity, entityId, name } }: { row: AuditRow }) {
  const word: unknown = tMaybe(`kinds.${entity}`);
  return (
    <span>
      <span className="text-2">{typeof word === 'string' ? word : entity}</span>{' '}
      {name === null ? (
        entityId && (
          <span className="font-mono" title={entityId}>
            {shortenMiddle(entityId)}
          </span>
        )
      ) : (
        <bdi>{name}</bdi>
      )}
    </span>
  );
}
