import { auditNames } from '../../../api/audit/names.ts';
import { addNames } from '../../lib/i18n/name-of.ts';
import { auditListFilters, auditSort } from './filters.ts';
import { defineCommand, oneTarget } from '../engine/define.ts';
import { currentQueryOf, exportCommand, saveExport } from '../engine/export.ts';
import { addressBeside, targetOf } from '../engine/resource.ts';
import { formatTime } from '../../lib/format.ts';
import { actionText } from '../../lib/ui/record/action-text.ts';

addNames(auditNames);

export const auditTarget = targetOf('audit', (row) => `${actionText(row)} ${formatTime(row.at)}`);

const screenPath = '/audit';

const queryShape = { sorts: ['time'], defaultSort: auditSort, filters: auditListFilters } as const;

export const audit = [
  defineCommand({
    id: 'audit.open',
    permission: screenPath,
    icon: 'book-open',
    place: screenPath,
    target: oneTarget('audit'),
    params: null,
    danger: 'none',
    excludeFromHistory: true,
    run: ({ ui, targets: [target] }) => {
      if (!target) return;
      ui.navigate(addressBeside(screenPath, 'open', target.id));
    },
  }),
  defineCommand({
    ...exportCommand,
    id: 'audit.export',
    permission: 'audit.export',
    place: screenPath,
    run: ({ api, params }) =>
      saveExport(() => {
        const { filter, locale, zone } = currentQueryOf(screenPath, queryShape);
        return api.audit.export({ ...filter, locale, zone, ...params });
      }),
  }),
];
