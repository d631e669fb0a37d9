/** Rows of a list: where a new one went, which cannot follow, the value of a cell as a filter. */
export const rows = {
  unseen: '{{text}} · Not in sight under this filter or order',
  show: 'Show it',
  part: '{{n}} of the {{all}} selected can follow; {{left}} cannot:',
  noFilter: 'No column of this list has a filter',
  like: 'Like this row',
  onlyThese: 'only',
  notThese: 'not',
  only: 'Only {{label}}: {{value}}',
  not: 'Not {{label}}: {{value}}',
};
