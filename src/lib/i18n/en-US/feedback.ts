import { countText } from '../plural.ts';

export const feedback = {
  count: ({ count }: { count: number }) => countText(count, 'piece of feedback', 'pieces of feedback'),
  title: 'Feedback Manage',
  none: 'No feedback yet',
  empty: 'Feedback from website visitors appears here.',
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
  markProcessed: 'Also mark as processed',
  search: 'Search content…',
  unchecked: 'Provided by the visitor, not verified',
  repliedBy: '{{by}} replied',
  blocked: {
    processed: 'This feedback is already processed',
    untreated: 'This feedback isn’t processed yet',
    noPicture: 'This feedback has no picture',
    there: 'This feedback isn’t deleted',
    reading: 'Triage is already open',
    notReading: 'Available only in triage',
  },
  triage: {
    title: 'Triage',
    place: '{{n}} of {{of}}',
    leave: 'Back to the list',
    next: 'Next',
    previous: 'Previous',
    done: 'All feedback is processed',
    doneText: 'New feedback appears here automatically.',
    hint: 'Oldest first. Processing an item moves on to the next one. You can undo each step.',
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
      act: ({ count }: { count: number }) => (count === 1 ? 'Mark feedback as untreated' : `Mark ${count} pieces as untreated`),
    },
    delete: {
      title: ({ count }: { count: number }) =>
        count === 1 ? 'Delete this feedback?' : `Delete these ${count} pieces of feedback?`,
      act: ({ count }: { count: number }) => (count === 1 ? 'Delete feedback' : `Delete ${count} pieces of feedback`),
      body: 'Deleted feedback disappears from the list. You can undo this, or restore the feedback under Deleted feedback.',
    },
    restore: {
      title: 'Restore this feedback?',
      act: 'Restore feedback',
      body: 'Restored with all pictures and replies.',
    },
  },
};
