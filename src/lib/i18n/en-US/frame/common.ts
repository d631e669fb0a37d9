export const common = {
  success: 'Operation Successful',
  undone: 'Operation Successful · Undone: {{what}}',
  happened: 'Operation Successful · {{what}}',
  named: '“{{name}}”',
  copied: 'Copy successful',
  sent: 'Sent Successfully',
  cancel: 'Cancel',
  confirm: 'Confirm',
  close: 'Close',
  retry: 'Retry',
  undo: 'Undo',
  loading: 'Loading…',
};
