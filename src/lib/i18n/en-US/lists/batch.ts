export const batch = {
  title: 'Batch',
  choose: 'Select all {{n}} matching',
  wholeBody:
    'Runs on all {{n}} matching records, {{max}} at a time. You can stop between batches. Finished records stay changed.',
  wideBody: 'Runs on {{max}} records at a time. You can stop between batches. Finished records stay changed.',
  noUndo: 'You can undo at most {{max}} records.',
  busy: 'Another batch is running. Wait until the batch is done, or stop the batch.',
  running: '{{done}} done, {{failed}} failed, {{left}} to go',
  stopping: 'Stopping after the current batch: {{done}} done, {{failed}} failed',
  finished: '{{done}} of {{all}} done',
  stop: 'Stop batch',
  close: 'Dismiss report',
  progress: 'Batch progress',
  retry: 'Retry {{n}} failed',
  state: { waiting: 'Waiting', working: 'In progress', done: 'Done', failed: 'Failed', skipped: 'Skipped' },
  blocked: {
    none: 'No batch to stop, retry or dismiss',
    notHere: 'This list doesn’t support batches',
    unknown: 'The exact number of matches isn’t known. Narrow the filter.',
    tooMany: 'At most {{max}} at a time. Narrow the filter.',
  },
};
