/** The page around a screen: where one is, the commands at hand on a small one, and paper. */
export const page = {
  crumbs: 'Breadcrumbs',
  commands: 'Commands on this page',
  more: 'More',
  filter: 'Filter',
  search: 'Commands',
  browserMenu: 'Shift + right click: the browser’s menu',
  printed: 'Printed {{time}} by {{email}}',
  filtered: 'Filter: {{filters}}',
  rowsAll: ({ n }: { n: number }) => (n === 1 ? '1 row' : `${n} rows`),
  rowsPart: '{{n}} of {{of}} rows, the ones loaded on screen',
  rowsLoaded: 'The first {{n}} rows. Rows that weren’t loaded aren’t printed.',
  newest: '{{column}}, descending',
  oldest: '{{column}}, ascending',
  resetColumns: 'Restore default columns',
};
