export const arrivals = { show: '{{n}} new', none: 'Nothing new' };

export const columns = {
  sort: 'Sort',
  newest: '{{column}}, descending',
  oldest: '{{column}}, ascending',
  title: 'Columns',
  up: 'Move up: {{column}}',
  down: 'Move down: {{column}}',
  narrower: 'Make {{column}} narrower',
  wider: 'Make {{column}} wider',
  keys: 'Press Alt and an arrow key to move or resize a column. You can also drag column names and edges.',
  reset: 'Restore default columns',
};

/** By verb. */
export const did = {
  add: '{{of}} added',
  edit: '{{of}} updated',
  delete: '{{of}} deleted',
  restore: '{{of}} restored',
  show: '{{of}} shown',
  hide: '{{of}} hidden',
  process: '{{of}} marked as processed',
  reopen: '{{of}} marked as untreated',
  enable: '{{of}} enabled',
  disable: '{{of}} disabled',
};

export const records = {
  noneOpen: 'No record is open',
  last: 'This is the last record in the list',
  first: 'This is the first record in the list',
  explored: 'Item to view',
  nothingOnChain: 'This record has nothing on chain',
  noExplorer: 'No block explorer is configured for this chain',
};

export const pictures = {
  title: 'Picture',
  titleOf: 'Picture {{n}} of {{of}}',
  next: 'Next picture',
  previous: 'Previous picture',
  larger: 'Zoom in',
  smaller: 'Zoom out',
  fit: 'Fit to window',
  copy: 'Copy picture',
  copiedLink: 'Couldn’t copy the picture. The link was copied instead.',
  kinds: {
    picture: 'Picture',
  },
};
