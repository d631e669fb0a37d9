import { allNames } from '../../../api/all-names.ts';
import { inLocale } from '../../lib/i18n/i18n.ts';
import { choose, moment, typed } from '../../lib/ui/list/filter/filters.ts';

/** What the audit list is filtered by: the command that exports it reads the same from the address. */
export const auditFilters = {
  actor: typed('audit.filter.actor'),
  what: typed('audit.filter.what', () => Object.entries(allNames).map(([value, name]) => ({ value, label: inLocale(name) }))),
  entity: typed('audit.filter.entity'),
  entityId: typed('audit.filter.entityId'),
  result: choose('audit.field.result', [
    { value: 'done', label: 'audit.result.done' },
    { value: 'refused', label: 'audit.result.refused' },
  ]),
  from: moment('audit.filter.from'),
  to: moment('audit.filter.to'),
};

export const auditSort = { by: 'time', direction: 'desc' } as const;
