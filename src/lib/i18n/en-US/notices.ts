import { nouns } from '../nouns.ts';

export const notices = {
  ...nouns('notice'),
  title: 'Notice Manage',
  one: 'Notice',
  none: 'No notices yet',
  empty: 'Manage notices on the official website, by platform and period.',
  search: 'Search notices…',
  field: {
    content: 'Notice content',
    link: 'Jump link',
    platform: 'Platform',
    startsAt: 'Show from',
    endsAt: 'Show until',
    status: 'Status',
    phase: 'Phase',
    creatorEmail: 'Created by',
    createdAt: 'Created',
    updatedAt: 'Updated',
  },
  hint: { startsAt: 'Leave empty to start immediately', endsAt: 'Leave empty for no end date' },
  platform: { all: 'All', desktop: 'Desktop', mobile: 'Mobile' },
  status: { shown: 'Show', hidden: 'Not Show' },
  phase: { scheduled: 'Scheduled', current: 'Current', over: 'Ended' },
  blocked: { shown: 'Already shown', hidden: 'Already hidden' },
  preview: {
    title: 'Website preview',
    widths: 'Preview width',
    live: 'Shown on the website now',
    hidden: 'Not on the website: the status is Not Show',
    scheduled: 'Not on the website yet: starts {{time}}',
    over: 'Not on the website: ended {{time}}',
    elsewhere: 'This platform doesn’t show this notice',
    inert: 'Links are disabled in the preview',
    more: 'Learn more',
  },
  kinds: {
    notice: 'Notice',
  },
  ask: {
    show: { body: 'Shown notices appear on the official website as soon as their period starts.' },
    delete: {
      body: 'Deleted notices disappear from the list and the official website. You can undo this, or restore them under Deleted notices. Restored notices come back as Not Show.',
    },
    restore: { body: 'Saves this version as a new edit. A deleted notice comes back as Not Show.' },
  },
};
