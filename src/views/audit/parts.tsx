import { useStore } from '@nanostores/react';
import { Link } from 'wouter';
import type { AuditRow } from '../../../api/audit/contract.ts';
import type { RoutePath } from '../../../api/menu.ts';
import { restorableKinds } from '../../commands/app/loaders.ts';
import { shortenMiddle } from '../../lib/format.ts';
import { roleText } from '../../lib/i18n/role-text.ts';
import { pickLocaleName, t } from '../../lib/i18n/i18n.ts';
import { $permittedPaths } from '../../lib/session/session.ts';
import { kindName } from '../../lib/ui/record/action-text.ts';
import { Chip } from '../../lib/ui/value/chip.tsx';

export const AuditResult = ({ result }: { result: AuditRow['result'] }) => (
  <Chip state={result}>{t(result === 'done' ? 'audit.result.done' : 'audit.result.refused')}</Chip>
);

/** Where kinds that cannot be restored are shown. */
const screenPaths: Readonly<Record<string, RoutePath>> = {
  administrator: '/permissions/administrator',
  administrators: '/permissions/administrator',
  crsm: '/CRSMTrove/CRSMList',
  deposit: '/selfCustody/deposit',
  deposits: '/selfCustody/deposit', // plural: refused requests
  institution: '/selfCustody/dataPanel',
  mint: '/selfCustody/deposit', // shown with its deposit
  points: '/points',
  role: '/permissions/role',
  statement: '/selfCustody/authority',
  withdrawal: '/selfCustody/withdraw',
};

/** Records known by their id, such as an address or a month. */
const entitiesShownById: ReadonlySet<string> = new Set(['crsm', 'institution', 'audit']);

const addressPattern = /^(0x[\da-f]{40}|(bc|tb|bcrt)1[\da-z]+)$/i;

/** Null if it has no name. */
function recordNameOf({ entity, entityId, name, names }: AuditRow): string | null {
  if (names) return pickLocaleName(names);
  if (name !== null) return entity === 'role' ? roleText(name) : name;
  return entityId !== null && entitiesShownById.has(entity) ? shortenMiddle(entityId) : null;
}

/** Kind and name, linked if possible. Internal ids are hidden. */
export function RecordName({ row }: { row: AuditRow }) {
  const { entity, entityId } = row;
  const screenPath = screenPaths[entity] ?? restorableKinds.get(entity)?.place;
  const isOpen = useStore($permittedPaths).has(screenPath ?? '');
  const recordName = recordNameOf(row);
  const nameText = (
    <>
      <span className="text-2">{kindName(entity)}</span>{' '}
      {recordName !== null && (
        <bdi className={addressPattern.test(recordName) ? 'font-mono text-meta' : undefined}>{recordName}</bdi>
      )}
    </>
  );
  if (!screenPath || !isOpen || entityId === null) return <span>{nameText}</span>;
  return (
    <Link
      href={`${screenPath}?open=${encodeURIComponent(entityId)}`}
      className="inline-block min-h-6 min-w-6 rounded-chip hover:underline"
      tabIndex={-1}
    >
      {nameText}
    </Link>
  );
}
