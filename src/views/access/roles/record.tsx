import { useQuery } from '@tanstack/react-query';
import type { GrantNode, RoleRow } from '../../../../api/access/roles.ts';
import { roleTarget } from '../../../commands/access/roles.ts';
import { api } from '../../../lib/net/client.ts';
import { roleText } from '../../../lib/i18n/role-text.ts';
import { pickLocaleName, t } from '../../../lib/i18n/i18n.ts';
import { queryClient } from '../../../lib/net/query.ts';
import { Chip } from '../../../lib/ui/value/chip.tsx';
import { TimeText } from '../../../lib/ui/value/time.tsx';
import { flattenTree, matchingIds } from '../../../lib/ui/tree/tree.ts';
import { Details, RecordSection } from '../../../lib/ui/record/details.tsx';
import { LoadedData, RecordView, useOpenedRecord } from '../../layout/record-view.tsx';

export function RoleRecord({ id }: { id: string }) {
  const openedRecord = useOpenedRecord('roles', id, api.roles.many, roleTarget);
  if (!openedRecord) return null;
  const { row, targets } = openedRecord;
  return (
    <RecordView
      wide
      title={roleText(row.name)}
      state={roleText(row.description)}
      targets={targets}
      primary="roles.edit"
      commands={['roles.viewAs', 'roles.copy', 'roles.delete']}
    >
      <Details
        of={{
          'roles.field.needsFactor': t(row.needsFactor ? 'roles.factor.needed' : 'roles.factor.free'),
          'roles.field.mayGrant': <MayGrantFact row={row} />,
          'roles.field.networks': row.networks.length > 0 ? row.networks.join(' · ') : t('roles.limits.everyNetwork'),
          'roles.field.idleMinutes':
            row.idleMinutes === null ? t('roles.limits.asServer') : t('roles.limits.minutes', { count: row.idleMinutes }),
          'roles.field.sessionHours':
            row.sessionHours === null ? t('roles.limits.asServer') : t('roles.limits.hours', { count: row.sessionHours }),
          'roles.field.createdAt': <TimeText iso={row.createdAt} />,
        }}
      />
      <RoleHolders id={id} />
      <Grants row={row} />
    </RecordView>
  );
}

const MayGrantFact = ({ row: { mayGrant } }: { row: RoleRow }) =>
  mayGrant.length === 0 ? (
    <span className="text-2">{t('roles.mayGrantNone')}</span>
  ) : (
    <>
      {mayGrant.map(({ name }) => roleText(name)).join(' · ')}
      <p className="text-meta text-2">{t('roles.mayGrantHint')}</p>
    </>
  );

function RoleHolders({ id }: { id: string }) {
  const holders = useQuery(
    { queryKey: ['roles', 'holders', id], queryFn: ({ signal }) => api.roles.holders({ id }, { signal }) },
    queryClient,
  );
  return (
    <RecordSection title={t('roles.holders')}>
      <LoadedData of={holders}>
        {(items) =>
          items.length === 0 ? (
            <p className="text-2">{t('roles.holdersNone')}</p>
          ) : (
            <ul className="flex flex-col gap-1">
              {items.map(({ id: holder, email, enabled }) => (
                <li key={holder} className="flex items-center gap-2">
                  <span className="break-all">{email}</span>
                  {!enabled && <Chip state="off">{t('roles.disabled')}</Chip>}
                </li>
              ))}
            </ul>
          )
        }
      </LoadedData>
    </RecordSection>
  );
}

function Grants({ row: { grants } }: { row: RoleRow }) {
  const nodes = useQuery(
    { queryKey: ['roles', 'tree'], queryFn: ({ signal }) => api.roles.tree(undefined, { signal }) },
    queryClient,
  );
  return (
    <RecordSection title={t('roles.field.grants')}>
      {grants.length === 0 ? (
        <p className="text-2">{t('roles.grantsNone')}</p>
      ) : (
        <LoadedData of={nodes} lines={4}>
          {(items) => <GrantTree nodes={items} granted={new Set(grants)} />}
        </LoadedData>
      )}
    </RecordSection>
  );
}

const GrantTree = ({ nodes, granted }: { nodes: GrantNode[]; granted: ReadonlySet<string> }) => (
  <ul className="@container flex flex-col">
    {flattenTree(
      nodes,
      new Set(),
      matchingIds(nodes, ({ id }) => granted.has(id)),
    ).map(({ item, level }) => (
      <li
        key={item.id}
        className={`flex gap-2 py-0.5 ${granted.has(item.id) ? '' : 'text-2'}`}
        style={{ paddingInlineStart: `${(level - 1) * 20}px` }}
      >
        <span className="min-w-0 flex-1 break-words">{pickLocaleName(item)}</span>
        <span className="shrink-0 font-mono text-meta text-2 @max-sm:hidden">{item.identifier}</span>
      </li>
    ))}
  </ul>
);
