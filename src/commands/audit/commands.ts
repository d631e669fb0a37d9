import { auditNames } from '../../../api/audit/names.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import { auditFilters, auditSort } from './filters.ts';
import { defineCommand, none, one, type Done } from '../engine/define.ts';
import { askedAt, saveExport } from '../engine/export.ts';
import { addressBeside, targetOf } from '../engine/resource.ts';
import { formatTime } from '../../lib/format.ts';
import { doneBy } from '../../lib/ui/record/done-by.ts';

addNames(auditNames);

export const auditTarget = targetOf('audit', (row) => `${doneBy(row)} ${formatTime(row.at)}`);

const place = '/audit';

const shape = { sorts: ['time'], defaultSort: auditSort, filters: auditFilters } as const;

export const audit = [
  defineCommand({
    id: 'audit.open',
    permission: place,
    icon: 'book-open',
    place,
    target: one('audit'),
    params: null,
    danger: 'none',
    passing: true,
    run: ({ ui, targets: [target] }) => {
      if (!target) return;
      ui.navigate(addressBeside(place, 'open', target.id));
    },
  }),
  defineCommand({
    id: 'audit.export',
    permission: 'audit.export',
    icon: 'download',
    place,
    target: none,
    params: null,
    danger: 'none',
    run: ({ api }) => saveExport('audit', '/audit/export', () => api.audit.export(askedAt(place, shape).filter)),
    done: ({ rows }): Done => ({ stale: ['audit'], toast: { key: 'audit.exported', values: { count: rows } } }),
  }),
];
