import type { AdministratorRow } from '../../../../api/access/administrators.ts';
import { roleText } from '../../../lib/i18n/role-text.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { Chip } from '../../../lib/ui/value/chip.tsx';

/** Enabled or disabled. */
export const AdministratorStatus = ({ row }: { row: AdministratorRow }) => (
  <Chip state={row.enabled ? 'done' : 'refused'}>{t(`administrators.status.${row.enabled ? 'enabled' : 'disabled'}`)}</Chip>
);

/** The second factor, or that there is none. */
export const Factor = ({ row }: { row: AdministratorRow }) => (
  <Chip state={row.factor === 'none' ? 'off' : 'done'}>{t(`administrators.factor.${row.factor}`)}</Chip>
);

/** The roles, a chip each; in a row what does not fit is cut, in a record it goes on below. */
export const Roles = ({ row, whole = false }: { row: AdministratorRow; whole?: boolean }) => (
  <span className={`flex max-w-full gap-1 ${whole ? 'flex-wrap' : 'overflow-hidden'}`}>
    {row.roles.map(({ id, name }) => (
      <span
        key={id}
        title={roleText(name)}
        className="block h-5 min-w-0 truncate rounded-chip bg-neutral-bg px-1.5 text-meta leading-5 text-neutral-text"
      >
        {roleText(name)}
      </span>
    ))}
  </span>
);

/** The email, with a word where it is one's own. */
export const Email = ({ row }: { row: AdministratorRow }) => (
  <>
    {row.email}
    {row.reach === 'own' && <span className="ms-2 text-meta text-2">{t('administrators.you')}</span>}
  </>
);
