import { useQuery } from '@tanstack/react-query';
import type { GrantNode, RoleRow } from '../../../../api/access/roles.ts';
import { roleTarget } from '../../../commands/access/roles.ts';
import { CommandTrigger } from '../../../commands/ui/controls/command-trigger.tsx';
import { api } from '../../../lib/net/client.ts';
import { errorText } from '../../../lib/net/errors.ts';
import { roleText } from '../../../lib/i18n/role-text.ts';
import { inLocale, t } from '../../../lib/i18n/i18n.ts';
import { queryClient } from '../../../lib/net/query.ts';
import { Chip } from '../../../lib/ui/value/chip.tsx';
import { useOpenRecord } from '../../../lib/ui/record/open-record.ts';
import { RecordSheet } from '../../../lib/ui/record/peek.tsx';
import { useRecord } from '../../../lib/ui/record/use-record.ts';
import { Skeleton } from '../../../lib/ui/skeleton.tsx';
import { treeRowsOf, matchingIds } from '../../../lib/ui/tree/tree.ts';

export function RoleRecord({ id }: { id: string }) {
  const { row, isGone } = useRecord('roles', id, api.roles.many);
  useOpenRecord(row, roleTarget, isGone);
  if (!row) return null;
  const target = [roleTarget(row)];
  return (
    <RecordSheet wide title={roleText(row.name)} description={roleText(row.description)}>
      <div data-record className="flex flex-col gap-5">
        <div className="flex flex-wrap gap-2">
          <CommandTrigger id="roles.edit" targets={target} />
          <CommandTrigger id="roles.copy" targets={target} />
          <CommandTrigger id="roles.viewAs" targets={target} />
          <CommandTrigger id="roles.delete" targets={target} />
        </div>
        {row.needsFactor && <p className="text-body">{t('roles.needsFactor')}</p>}
        <MayGrant row={row} />
        <Holders id={id} />
        <Grants row={row} />
      </div>
    </RecordSheet>
  );
}

const MayGrant = ({ row: { mayGrant } }: { row: RoleRow }) => (
  <section className="flex flex-col gap-2">
    <h2 className="text-label font-semibold">{t('roles.field.mayGrant')}</h2>
    <p className="text-2">{t(mayGrant.length === 0 ? 'roles.mayGrantNone' : 'roles.mayGrantHint')}</p>
    <ul className="flex flex-col gap-1">
      {mayGrant.map(({ id, name }) => (
        <li key={id}>{roleText(name)}</li>
      ))}
    </ul>
  </section>
);

function Holders({ id }: { id: string }) {
  const { data, error } = useQuery(
    { queryKey: ['roles', 'holders', id], queryFn: ({ signal }) => api.roles.holders({ id }, { signal }) },
    queryClient,
  );
  return (
    <section className="flex flex-col gap-2">
      <h2 className="text-label font-semibold">{t('roles.holders')}</h2>
      {error && <p role="alert">{errorText(error)}</p>}
      {!data && !error && <Skeleton />}
      {data?.length === 0 && <p className="text-2">{t('roles.holdersNone')}</p>}
      <ul className="flex flex-col gap-1">
        {data?.map(({ id: holder, email, enabled }) => (
          <li key={holder} className="flex items-center gap-2">
            <span className="break-all">{email}</span>
            {!enabled && <Chip state="off">{t('roles.disabled')}</Chip>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Grants({ row }: { row: RoleRow }) {
  const { data, error } = useQuery(
    { queryKey: ['roles', 'tree'], queryFn: ({ signal }) => api.roles.tree(undefined, { signal }) },
    queryClient,
  );
  const granted = new Set(row.grants);
  const shown = matchingIds(data ?? [], ({ id }: GrantNode) => granted.has(id));
  return (
    <section className="flex flex-col gap-2">
      <h2 className="text-label font-semibold">{t('roles.field.grants')}</h2>
      {error && <p role="alert">{errorText(error)}</p>}
      {!data && !error && <Skeleton lines={4} />}
      {data && row.grants.length === 0 && <p className="text-2">{t('roles.grantsNone')}</p>}
      <ul className="flex flex-col">
        {treeRowsOf(data ?? [], new Set(), shown).map(({ item, level }) => (
          <li
            key={item.id}
            className={`flex gap-2 py-0.5 ${granted.has(item.id) ? '' : 'text-2'}`}
            style={{ paddingInlineStart: `${(level - 1) * 20}px` }}
          >
            <span className="min-w-0 flex-1 break-words">{inLocale(item)}</span>
            <span className="shrink-0 font-mono text-meta text-2">{item.identifier}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
