/** Words of what only some screens have: lists that fill from outside, and pictures that stand over the page. */
export const arrivals = { show: '{{n}} new', none: 'Nothing new has come' };

/** The Display panel of every list. */
export const columns = {
  sort: 'Sort',
  newest: '{{column}}, descending',
  oldest: '{{column}}, ascending',
  title: 'Columns',
  up: 'Move up: {{column}}',
  down: 'Move down: {{column}}',
  narrower: 'Narrower: {{column}}',
  wider: 'Wider: {{column}}',
  keys: 'On a column, Alt and an arrow key move it up or down, or make it narrower or wider. Names and edges can be dragged, too.',
  reset: 'Restore default columns',
};

/** What was done to what, by a command's verb. */
export const did = {
  add: '{{of}} added',
  edit: '{{of}} changed',
  delete: '{{of}} deleted',
  restore: '{{of}} restored',
  show: '{{of}} shown',
  hide: '{{of}} hidden',
  process: '{{of}} processed',
  reopen: '{{of}} untreated again',
  enable: '{{of}} enabled',
  disable: '{{of}} disabled',
};

export const records = {
  noneOpen: 'No record of the list is open',
  last: 'This is the last one of the list',
  first: 'This is the first one of the list',
  explored: 'What to view',
  nothingOnChain: 'This record names nothing on a chain',
  noExplorer: 'This chain has no block explorer that can be opened',
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
  copied: 'Picture copied',
  copiedLink: 'The picture could not be copied; its link was',
  kinds: {
    picture: 'Picture',
  },
};
