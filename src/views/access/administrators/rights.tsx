import type { EffectiveRight } from '../../../../api/access/administrators.ts';
import { roleText } from '../../../lib/i18n/role-text.ts';
import { pickLocaleName, t } from '../../../lib/i18n/i18n.ts';
import { RecordSection } from '../../../lib/ui/record/details.tsx';

/** Effective permissions, each with the role that grants it. */
export function EffectiveRights({ rights }: { rights: readonly EffectiveRight[] }) {
  const grantedRights = rights.filter(({ roles }) => roles.length > 0);
  const functionCount = grantedRights.filter(({ kind }) => kind === 'function').length;
  return (
    <RecordSection title={t('administrators.effective.title')}>
      <p className="text-2">
        {t(grantedRights.length === 0 ? 'administrators.effective.none' : 'administrators.effective.hint')}
      </p>
      {grantedRights.length > 0 && (
        <p className="text-2">
          {t('administrators.effective.count', { menus: grantedRights.length - functionCount, functions: functionCount })}
        </p>
      )}
      {grantedRights.length > 0 && (
        <div className="@container">
          <Nodes rights={rights} parentId={null} />
        </div>
      )}
    </RecordSection>
  );
}

function Nodes({ rights, parentId }: { rights: readonly EffectiveRight[]; parentId: string | null }) {
  const nodes = rights.filter((right) => right.parentId === parentId);
  if (nodes.length === 0) return null;
  return (
    <ul className={parentId === null ? 'flex flex-col' : 'ms-2 flex flex-col border-s border-hairline ps-3'}>
      {nodes.map((right) => (
        <li key={right.id} data-right={right.identifier}>
          <div className="flex items-baseline gap-x-2 py-0.5">
            <span className={`min-w-0 ${right.kind === 'menu' ? 'font-medium' : ''}`}>{pickLocaleName(right)}</span>
            <span className="min-w-0 flex-1 truncate font-mono text-meta text-2 @max-sm:invisible" dir="ltr">
              {right.identifier}
            </span>
            {right.roles.length > 0 && (
              <span className="max-w-1/2 shrink-0 text-end text-meta wrap-anywhere text-2">
                <span className="sr-only">{t('administrators.effective.from')}</span>
                {right.roles.map(roleText).join(' · ')}
              </span>
            )}
          </div>
          <Nodes rights={rights} parentId={right.id} />
        </li>
      ))}
    </ul>
  );
}
