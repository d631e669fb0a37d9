export const rows = {
  unseen: '{{text}} · Hidden by the current filter or sort',
  show: 'View record',
  part: '{{n}} of the {{all}} selected records will be changed. {{left}} can’t be changed:',
  noFilter: 'This list has no filters',
  like: 'Filter like this row',
  onlyThese: 'only',
  notThese: 'not',
  only: 'Only {{label}}: {{value}}',
  not: 'Not {{label}}: {{value}}',
};
