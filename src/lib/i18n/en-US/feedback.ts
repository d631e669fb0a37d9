export const feedback = {
  count: ({ count }: { count: number }) => (count === 1 ? '1 piece of feedback' : `${count} pieces of feedback`),
  title: 'Feedback Manage',
  none: 'No feedback yet',
  empty: 'What visitors of the official website write is read and answered here.',
  field: {
    status: 'Status',
    time: 'Time',
    email: 'Mailbox',
    pictures: 'Picture',
    content: 'Content',
    processed: 'Processed',
    processedAt: 'Processed at',
    replies: 'Replies',
    reply: 'Reply',
  },
  status: { untreated: 'Untreated', processed: 'Processed' },
  markProcessed: 'Mark as processed too',
  search: 'Search content…',
  unchecked: 'Given by the visitor, not verified',
  repliedBy: '{{by}} replied',
  blocked: {
    processed: 'Already processed',
    untreated: 'Not processed yet',
    noPicture: 'Has no picture',
    there: 'It is not deleted',
    reading: 'Triage is open already',
    notReading: 'Only in triage',
  },
  triage: {
    title: 'Triage',
    place: '{{n}} of {{of}}',
    leave: 'Back to the list',
    next: 'Next',
    previous: 'Previous',
    done: 'Nothing is left untreated',
    doneText: 'New feedback appears here by itself.',
    hint: 'Oldest first. Processing goes on to the next one and can be undone.',
  },
  kinds: {
    feedback: 'Feedback',
  },
  ask: {
    process: {
      title: ({ count }: { count: number }) =>
        count === 1 ? 'Mark this feedback as processed?' : `Mark these ${count} pieces of feedback as processed?`,
      act: ({ count }: { count: number }) => (count === 1 ? 'Process feedback' : `Process ${count} pieces of feedback`),
    },
    reopen: {
      title: ({ count }: { count: number }) =>
        count === 1 ? 'Mark this feedback as untreated again?' : `Mark these ${count} pieces of feedback as untreated again?`,
      act: ({ count }: { count: number }) => `Mark ${count} as untreated`,
    },
    delete: {
      title: ({ count }: { count: number }) =>
        count === 1 ? 'Delete this feedback?' : `Delete these ${count} pieces of feedback?`,
      act: ({ count }: { count: number }) => (count === 1 ? 'Delete feedback' : `Delete ${count} pieces of feedback`),
      body: 'It leaves the list. It can be undone, or restored from the audit log.',
    },
    restore: {
      title: 'Restore this feedback?',
      act: 'Restore feedback',
      body: 'It comes back with pictures and replies, as it was.',
    },
  },
};
