import { countText } from '../../plural.ts';

export const page = {
  crumbs: 'Breadcrumbs',
  commands: 'Commands on this page',
  more: 'More',
  filter: 'Filter',
  search: 'Commands',
  browserMenu: 'Shift + right-click: browser menu',
  printed: 'Printed {{time}} by {{email}}',
  filtered: 'Filter: {{filters}}',
  rowsAll: ({ n }: { n: number }) => countText(n, 'row'),
  rowsPart: '{{n}} of {{of}} rows. Only loaded rows are printed.',
  rowsLoaded: 'The first {{n}} rows. Only loaded rows are printed.',
  newest: '{{column}}, descending',
  oldest: '{{column}}, ascending',
  resetColumns: 'Restore default columns',
};
