export const value = {
  copy: 'Copy',
  copyOf: 'Copy {{label}}',
  copyFailed: 'The browser blocked copying. Select the text and copy it manually.',
  noPicture: 'No picture',
  notALink: 'Not a valid http or https link',
  explorer: 'View in the block explorer {{host}}, in a new tab',
  opensOutside: 'Opens {{host}} in a new tab',
  pictureUnseen: 'This picture cannot be previewed',
  notifications: 'Notifications',
  unknown: 'Unknown',
  exact: 'Exact values',
  allExact: 'All figures here are already exact',
};
