export const value = {
  copy: 'Copy',
  copyOf: 'Copy {{label}}',
  copyFailed: 'The browser blocked copying. Select the text and copy it manually.',
  noPicture: 'No picture',
  notALink: 'Not a valid http or https link',
  explorer: 'View in block explorer {{host}} (new tab)',
  opensOutside: 'Open {{host}} (new tab)',
  pictureUnseen: 'Can’t preview this picture',
  notifications: 'Notifications',
  unknown: 'Unknown',
  exact: 'Exact values',
  allExact: 'All figures on this page are exact',
};
