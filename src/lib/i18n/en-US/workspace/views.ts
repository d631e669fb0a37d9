/** Views of lists that people keep. */
export const views = {
  title: 'Views',
  none: 'No saved views yet. Filter and sort the list, then save it as a view.',
  open: '(current)',
  field: { view: 'View', name: 'Name of the view' },
  kinds: {
    view: 'Saved view',
  },
};
