/** Shared confirmation texts by verb. A resource overrides only what differs. */
export const ask = {
  show: { title: 'Show {{these}}?', act: 'Show {{noun}}' },
  hide: { title: 'Hide {{these}}?', act: 'Hide {{noun}}' },
  enable: { title: 'Enable {{these}}?', act: 'Enable {{noun}}' },
  disable: { title: 'Disable {{these}}?', act: 'Disable {{noun}}' },
  delete: { title: 'Delete {{these}}?', act: 'Delete {{noun}}' },
  restore: { title: 'Restore this version?', act: 'Restore this version', body: 'Saves this version as a new edit.' },
  startImport: { act: 'Start import' },
  undoImport: { title: 'Undo this entire import?', act: 'Undo import' },
};
