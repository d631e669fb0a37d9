import type { AdministratorRow } from '../../../../api/access/administrators.ts';
import { roleText } from '../../../lib/i18n/role-text.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { Chip } from '../../../lib/ui/value/chip.tsx';

export const AdministratorStatus = ({ row }: { row: AdministratorRow }) => (
  <Chip state={row.enabled ? 'done' : 'refused'}>{t(`administrators.status.${row.enabled ? 'enabled' : 'disabled'}`)}</Chip>
);

export const FactorCell = ({ row }: { row: AdministratorRow }) => (
  <Chip state={row.factor === 'none' ? 'off' : row.factorGap ? 'pending' : 'done'}>
    {t(`administrators.factor.${row.factor}`)}
  </Chip>
);

/** Cut in a row, wrapped in a record. */
export const RolesCell = ({ row, whole = false }: { row: AdministratorRow; whole?: boolean }) => (
  <span className={`flex max-w-full gap-1 ${whole ? 'flex-wrap' : 'overflow-hidden'}`}>
    {row.roles.map(({ id, name }) => (
      <RoleChip key={id} name={roleText(name)} />
    ))}
  </span>
);

export const RoleChip = ({ name }: { name: string }) => (
  <span
    title={name}
    className="block h-5 min-w-0 truncate rounded-chip bg-neutral-bg px-1.5 text-meta leading-5 text-neutral-text"
  >
    {name}
  </span>
);

/** Marks the person's own account. */
export const EmailCell = ({ row }: { row: AdministratorRow }) => (
  <>
    {row.email}
    {row.reach === 'own' && <span className="ms-2 text-meta text-2">{t('administrators.you')}</span>}
  </>
);
