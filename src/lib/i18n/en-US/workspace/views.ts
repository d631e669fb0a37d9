/** Views of lists that people keep. */
export const views = {
  title: 'Views',
  none: 'No views of this list yet: filter and sort it, then save that under a name.',
  open: '(open)',
  field: { view: 'View', name: 'Name of the view' },
  kinds: {
    view: 'Saved view',
  },
};
