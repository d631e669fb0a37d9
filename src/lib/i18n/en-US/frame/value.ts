export const value = {
  copy: 'Copy',
  copyOf: 'Copy {{label}}',
  copyFailed: 'The browser refused the clipboard. Select the text and copy it by hand.',
  noPicture: 'No picture',
  notALink: 'Not a valid http or https link',
  explorer: 'View in the block explorer {{host}}, in a new tab',
  opensOutside: 'Opens {{host}} in a new tab',
  pictureUnseen: 'This picture cannot be previewed',
  notifications: 'Notifications',
  unknown: 'Not known',
  exact: 'Exact values',
  allExact: 'Every figure here is exact as it stands',
};
