import { useStore } from '@nanostores/react';
import { Link } from 'wouter';
import type { AuditRow } from '../../../api/audit/contract.ts';
import type { RoutePath } from '../../../api/menu.ts';
import { restorable } from '../../commands/app/loaders.ts';
import { shortenMiddle } from '../../lib/format.ts';
import { roleText } from '../../lib/i18n/role-text.ts';
import { inLocale, t } from '../../lib/i18n/i18n.ts';
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
  administrators: '/permissions/administrator',
  crsm: '/CRSMTrove/CRSMList',
  deposit: '/selfCustody/deposit',
  deposits: '/selfCustody/deposit', // of a refused request, as are others in the plural
  institution: '/selfCustody/dataPanel',
  mint: '/selfCustody/deposit', // by its deposit
  points: '/points',
  role: '/permissions/role',
  statement: '/selfCustody/authority',
  withdrawal: '/selfCustody/withdraw',
};

/** Records that people call by their id: an address, a month. */
const byId: ReadonlySet<string> = new Set(['crsm', 'institution', 'audit']);

/** What a record is called, in the page's language; null where nobody calls it anything. */
function calledIn({ entity, entityId, name, names }: AuditRow): string | null {
  if (names) return inLocale(names);
  if (name !== null) return entity === 'role' ? roleText(name) : name;
  return entityId !== null && byId.has(entity) ? shortenMiddle(entityId) : null;
}

/** What it was done to: the kind of record and its name, as a link where it can be looked at. An id of ours says nothing to people. */
export function RecordName({ row }: { row: AuditRow }) {
  const { entity, entityId } = row;
  const place = places[entity] ?? restorable.get(entity)?.place;
  const isOpen = useStore($permittedPaths).has(place ?? '');
  const known = calledIn(row);
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
