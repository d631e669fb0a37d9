import { createNouns } from '../nouns.ts';

export const notices = {
  ...createNouns('notice'),
  title: 'Notice Manage',
  one: 'Notice',
  none: 'No notices yet',
  empty: 'Manage notices on the official website, by platform and period.',
  search: 'Search notices…',
  field: {
    content: 'Notice content',
    link: 'Jump link',
    platform: 'Platform',
    status: 'Status',
    creatorEmail: 'Created by',
    createdAt: 'Created',
    updatedAt: 'Updated',
  },
  platform: { all: 'All', desktop: 'Desktop', mobile: 'Mobile' },
  status: { shown: 'Show', hidden: 'Not Show' },
  blocked: { shown: 'Already shown', hidden: 'Already hidden' },
  preview: {
    elsewhere: 'This platform doesn’t show this notice',
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
