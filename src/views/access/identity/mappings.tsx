import { useQuery } from '@tanstack/react-query';
import type { MappingRow } from '../../../../api/access/identity.ts';
import { mappingTarget } from '../../../commands/access/identity.ts';
import { CommandTrigger } from '../../../commands/ui/controls/command-trigger.tsx';
import { t } from '../../../lib/i18n/i18n.ts';
import { joinList } from '../../../lib/i18n/punctuation.ts';
import { roleText } from '../../../lib/i18n/role-text.ts';
import { api } from '../../../lib/net/client.ts';
import { errorText } from '../../../lib/net/errors.ts';
import { queryClient } from '../../../lib/net/query.ts';
import { fieldText } from '../../../lib/ui/record/field-text.ts';
import { Skeleton } from '../../../lib/ui/skeleton.tsx';
import { UnreadValue } from '../../../lib/ui/value/unread.tsx';
import { Section } from '../../../lib/ui/section.tsx';

/** Which group of the provider gives which role. */
export function Mappings() {
  const { data, error, refetch } = useQuery(
    { queryKey: ['identity', 'mappings'], queryFn: ({ signal }) => api.identity.mappings(undefined, { signal }) },
    queryClient,
  );
  return (
    <Section title={t('identity.mappings.title')} intro={t('identity.mappings.intro')}>
      {error && <UnreadValue words={errorText(error)} retry={refetch} />}
      {!data && !error && <Skeleton lines={3} />}
      {data?.length === 0 && <p className="text-body text-2">{t('identity.mappings.none')}</p>}
      {data && data.length > 0 && <MappingTable rows={data} />}
    </Section>
  );
}

const permissionText = (identifier: string): string => fieldText({ as: 'permission' }, identifier) ?? identifier;

const cell = 'py-1.5 pe-4 align-top wrap-anywhere';

const MappingTable = ({ rows }: { rows: readonly MappingRow[] }) => (
  <div className="@container overflow-x-auto">
    <table className="w-full text-start text-body">
      <thead className="text-meta text-2 @max-xl:sr-only">
        <tr className="border-b border-hairline">
          {(['group', 'source', 'role', 'holders'] as const).map((column) => (
            <th key={column} scope="col" className="py-1 pe-4 text-start font-medium whitespace-nowrap">
              {t(`identity.field.${column}`)}
            </th>
          ))}
          <th scope="col">
            <span className="sr-only">{t('list.actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Mapping key={row.id} row={row} />
        ))}
      </tbody>
    </table>
  </div>
);

function Mapping({ row }: { row: MappingRow }) {
  const targets = [mappingTarget(row)];
  return (
    <tr
      data-mapping={row.id}
      className="border-b border-hairline last:border-0 @max-xl:grid @max-xl:grid-cols-[1fr_auto] @max-xl:gap-x-4 @max-xl:py-2"
    >
      <td className={`${cell} font-medium`}>{row.group}</td>
      <td className={`${cell} text-2 @max-xl:col-span-full @max-xl:py-0`}>{t(`identity.source.${row.source}`)}</td>
      <td className={`${cell} @max-xl:col-span-full @max-xl:py-0`}>
        <span className="@xl:hidden">→ </span>
        {roleText(row.role.name)}
        {row.guarded.length > 0 && (
          <span className="block text-meta text-danger-text">
            {t('identity.mappings.guarded', { names: joinList(row.guarded.map(permissionText)) })}
          </span>
        )}
      </td>
      <td className={`${cell} tabular-nums @max-xl:col-span-full @max-xl:py-0`}>
        {t('identity.mappings.holders', { count: row.holders })}
      </td>
      <td className="py-1 text-end whitespace-nowrap @max-xl:col-start-2 @max-xl:row-start-1">
        <CommandTrigger id="identity.editMapping" targets={targets} compact hidesKeys />
        <CommandTrigger id="identity.deleteMapping" targets={targets} compact hidesKeys />
      </td>
    </tr>
  );
}
