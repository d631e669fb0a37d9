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
  rowsPart: ({ n, of }: { n: number; of: string }) => `${countText(n, 'row')} of ${of}`,
  rowsFirst: ({ n }: { n: number }) => `The first ${countText(n, 'row')}`,
  rowsLoaded: 'Only loaded rows are printed. To print up to {{max}} rows, choose “Print this page” in the command palette.',
  rowsLimit: 'Rows beyond {{max}} aren’t printed. To get the other rows, filter or export the list.',
  newest: '{{column}}, descending',
  oldest: '{{column}}, ascending',
  resetColumns: 'Restore default columns',
};
