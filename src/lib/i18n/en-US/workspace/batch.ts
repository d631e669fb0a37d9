/** Commands on many records: what stands beside their review, their progress, and how each record fared. */
export const batch = {
  title: 'Many records',
  choose: 'Select all {{n}} that match',
  wholeBody:
    'This runs on all {{n}} records that match the filter, {{max}} at a time. You can stop in between; what is done by then stays done.',
  wideBody: 'It runs on {{max}} records at a time. You can stop in between; what is done by then stays done.',
  noUndo: 'For more than {{max}} records there is no undo in one go.',
  busy: 'Another batch is under way: wait for it or stop it',
  running: '{{done}} done, {{failed}} not, {{left}} to go',
  stopping: 'Stopping after what is under way: {{done}} done, {{failed}} not',
  finished: '{{done}} of {{all}} done',
  stop: 'Stop',
  close: 'Put the report away',
  progress: 'Progress of the batch',
  retry: 'Retry the {{n}} not done',
  state: { waiting: 'Waiting', working: 'Under way', done: 'Done', failed: 'Failed', skipped: 'Not done' },
  blocked: {
    none: 'There is no batch for this',
    notHere: 'Not in this list',
    unknown: 'How many match is not known exactly: narrow the filter',
    tooMany: 'At most {{max}} at once: narrow the filter',
  },
};
