export const help = {
  title: 'Help',
  pages: 'Help pages',
  group: { start: 'Start here', content: 'Content', money: 'Money', data: 'Data', access: 'Accounts and access' },
  onPage: 'On this page',
  next: 'Next: {{title}}',
  missing: 'There is no such help page',
  missingText: 'Choose a page from the list, or search in the command palette.',
};
