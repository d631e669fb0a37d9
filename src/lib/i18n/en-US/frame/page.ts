/** The page around a screen: where one is, the commands at hand on a small one, and paper. */
export const page = {
  crumbs: 'Where you are',
  commands: 'Commands of this page',
  more: 'More',
  filter: 'Filter',
  search: 'Commands',
  browserMenu: 'Shift + right click: the browser’s menu',
  printed: 'Printed {{time}} by {{email}}',
  filtered: 'Filter: {{filters}}',
  rowsAll: ({ n }: { n: number }) => (n === 1 ? '1 row' : `${n} rows`),
  rowsPart: 'The {{n}} rows that are loaded, of {{of}}; the rest is not printed',
  rowsLoaded: 'The {{n}} rows that are loaded; there are more that are not printed',
  newest: '{{column}}, descending',
  oldest: '{{column}}, ascending',
  resetColumns: 'Restore default columns',
};
