import { createNouns } from '../nouns.ts';

export const feedback = {
  ...createNouns('feedback', { one: 'piece of feedback', other: 'pieces of feedback' }),
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
      title: 'Mark {{these}} as processed?',
      act: 'Mark {{noun}} as processed',
    },
    processNext: {
      title: 'Mark {{these}} as processed?',
      act: 'Process and continue',
      body: 'You’re asked only once. Until you leave triage, “Process and continue” marks each item without asking again.',
    },
    reopen: {
      title: 'Mark {{these}} as untreated again?',
      act: 'Mark {{noun}} as untreated',
    },
    delete: {
      body: 'Deleted feedback disappears from the list. You can undo this, or restore the feedback under Deleted feedback.',
    },
    restore: {
      title: 'Restore this feedback?',
      act: 'Restore feedback',
      body: 'Restored with all pictures and replies.',
    },
  },
};
