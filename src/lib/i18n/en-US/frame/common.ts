export const common = {
  success: 'Operation Successful',
  copied: 'Copy successful',
  sent: 'Sent Successfully',
  cancel: 'Cancel',
  confirm: 'Confirm',
  close: 'Close',
  retry: 'Retry',
  undo: 'Undo',
  loading: 'Loading…',
};
