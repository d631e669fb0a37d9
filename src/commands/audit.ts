import { auditFilters, auditSort } from '../lib/audit-filters.ts';
import { downloadCsv } from '../lib/download.ts';
import { readQuery } from '../lib/ui/list/filters.ts';
import { defineCommand, none, one, type Done } from './core/define.ts';

const place = '/audit';

/** What the address of the audit list filters by; on any other screen nothing. */
const filterInAddress = () => {
  const isThere = typeof location !== 'undefined' && location.pathname === place;
  return readQuery(isThere ? location.search : '', { sorts: ['time'], defaultSort: auditSort, filters: auditFilters }).filter;
};

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
      const query = new URLSearchParams(typeof location !== 'undefined' && location.pathname === place ? location.search : '');
      query.set('open', target.id);
      ui.navigate(`${place}?${query}`);
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
    run: async ({ api }) => {
      const { id, rows } = await api.audit.export(filterInAddress());
      const name = `audit-${new Date().toISOString().slice(0, 10)}.csv`;
      return { rows: await downloadCsv({ path: `/api/audit/export/${id}`, name, rows }) };
    },
    done: ({ rows }): Done => ({ stale: ['audit'], toast: { key: 'audit.exported', values: { count: rows } } }),
  }),
];
