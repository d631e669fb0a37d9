/** Words of what only some screens have: lists that fill from outside, and pictures that stand over the page. */
export const arrivals = { show: '{{n}} new', none: 'Nothing new has come' };

export const records = {
  noneOpen: 'No record of the list is open',
  last: 'This is the last one of the list',
  first: 'This is the first one of the list',
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
