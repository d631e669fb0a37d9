export const palette = {
  rowMenu: 'Actions for {{name}}',
  blocked: {
    noList: 'There is no list on this page',
    pickFirst: 'Select a record first',
    onlyOne: 'Works on one record at a time',
    tooMany: 'Works on at most {{max}} records',
    nothingToUndo: 'Nothing to undo',
    cannotUndo: '“{{what}}” can’t be undone',
    cannotUndoBut: '“{{what}}” can’t be undone. Use “{{instead}}” instead.',
    nothingToRepeat: 'Nothing to repeat',
    nothingSelected: 'No row is selected',
    notFiltered: 'The list isn’t filtered',
  },
};
