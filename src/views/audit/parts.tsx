import { useStore } from '@nanostores/react';
import { Link } from 'wouter';
import type { AuditRow } from '../../../api/audit/contract.ts';
import type { RoutePath } from '../../../api/menu.ts';
import { restorable } from '../../commands/app/loaders.ts';
import { shortenMiddle } from '../../lib/format.ts';
import { roleText } from '../../lib/i18n/role-text.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { $permittedPaths } from '../../lib/session/session.ts';
import { kindName } from '../../lib/ui/record/done-by.ts';
import { Chip } from '../../lib/ui/value/chip.tsx';

/** Done or refused. */
export const AuditResult = ({ result }: { result: AuditRow['result'] }) => (
  <Chip state={result}>{t(result === 'done' ? 'audit.result.done' : 'audit.result.refused')}</Chip>
);

/** Where a record of a kind is looked at, where it is not where it is brought back to. */
const places: Readonly<Record<string, RoutePath>> = {
  administrator: '/permissions/administrator',
  crsm: '/CRSMTrove/CRSMList',
  deposit: '/selfCustody/deposit',
  institution: '/selfCustody/dataPanel',
  mint: '/selfCustody/deposit', // by its deposit
  points: '/points',
  role: '/permissions/role',
  statement: '/selfCustody/authority',
  withdrawal: '/selfCustody/withdraw',
};

const uuid = /^[0-9a-f]{8}-/;

/** What it was done to: the kind of record and its name, as a link where it can be looked at. An id of ours says nothing to people. */
export function RecordName({ row: { entity, entityId, name } }: { row: AuditRow }) {
  const place = places[entity] ?? restorable.get(entity)?.place;
  const isOpen = useStore($permittedPaths).has(place ?? '');
  const called = name !== null && entity === 'role' ? roleText(name) : name;
  const known = called ?? (entityId !== null && !uuid.test(entityId) ? shortenMiddle(entityId) : null);
  const words = (
    <>
      <span className="text-2">{kindName(entity)}</span> {known !== null && <bdi>{known}</bdi>}
    </>
  );
  if (!place || !isOpen || entityId === null) return <span>{words}</span>;
  return (
    <Link href={`${place}?open=${encodeURIComponent(entityId)}`} className="rounded-chip hover:underline" tabIndex={-1}>
      {words}
    </Link>
  );
}
