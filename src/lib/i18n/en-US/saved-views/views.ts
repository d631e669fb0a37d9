export const views = {
  title: 'Views',
  none: 'No saved views yet. Filter and sort the list, then save it as a view.',
  open: '(current)',
  field: { view: 'View', name: 'View name' },
  kinds: {
    view: 'Saved view',
  },
};
