import { allNames } from '../../../api/all-names.ts';
import type { AuditRow } from '../../../api/audit/contract.ts';
import { systemRoute } from '../../../api/audit/system.ts';
import { auditFilters as fields } from '../../../api/audit/filters.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { actionText, kindName } from '../../lib/ui/record/action-text.ts';
import { createFilters } from '../../lib/ui/list/filter/filters.ts';
import { translateUnder } from '../../lib/ui/list/filter/translate-under.ts';

const names: Readonly<Record<string, { zh: string; en: string }>> = allNames;

export const auditListFilters = createFilters(fields, {
  actor: {
    label: 'audit.field.actor',
    words: (email) => email || t('record.nobody'),
    of: (row: AuditRow) => row.actorEmail || null,
  },
  time: { label: 'audit.field.time', of: (row: AuditRow) => row.at },
  what: {
    label: 'audit.field.what',
    words: (route) => (route === systemRoute ? t('record.system') : actionText({ command: null, route, action: '', entity: '' })),
    of: (row: AuditRow) => row.command ?? row.route,
    also: (id) => `${names[id]?.zh ?? ''} ${names[id]?.en ?? ''}`,
  },
  entity: { label: 'audit.filter.entity', words: kindName },
  result: { label: 'audit.field.result', words: translateUnder('audit.result') },
  entityId: { label: 'audit.filter.entityId' },
});

export const auditSort = { by: 'time', direction: 'desc' } as const;
