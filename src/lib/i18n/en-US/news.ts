import { createNouns } from '../nouns.ts';
import { countText } from '../plural.ts';

export const news = {
  ...createNouns('news item'),
  title: 'News Manage',
  none: 'No news yet',
  field: {
    title: 'Title',
    description: 'Description',
    image: 'Image address',
    picture: 'Image',
    time: 'Time',
    link: 'Link',
    status: 'Status',
    createdAt: 'Created',
    feedItems: 'News',
  },
  status: { shown: 'Show', hidden: 'Not Show' },
  missing: { 'zh-CN': 'No Chinese', 'en-US': 'No English' },
  blocked: {
    shown: 'Already shown',
    hidden: 'Already hidden',
    noImage: 'No image. Edit the item and add an image address first.',
    selectTwo: 'Select one Chinese and one English item',
    translated: 'One of the items already has a translation',
    sameLanguage: 'Both items are in the same language',
    mayNotDelete: 'Joining needs the permission “Delete news”',
    notJoined: 'This news item has no translation',
    mayNotRestore: 'You need the permission “Restore an earlier version of news”',
  },
  empty: 'Manage the news on the official website. Add a news item, or get news from the feeds.',
  known: 'Already added',
  imported: ({ count }: { count: number }) =>
    count > 0 ? `${countText(count, 'news item')} imported as Not Show` : 'All of these news items were already added',
  search: 'Search titles…',
  kinds: {
    feed: 'News feeds',
    news: 'News',
  },
  ask: {
    show: { body: 'Shown news items appear on the official website as soon as their period starts.' },
    join: {
      title: 'Join these 2 news items?',
      act: 'Join news items',
      body: 'The two news items become one item in both languages. You can undo the join until one of the two items changes.',
    },
    undoJoin: {
      title: 'Undo this join?',
      act: 'Undo join',
      body: 'Both news items are restored to what they were before the join, on the official website too.',
    },
    restore: { body: 'Saves this version as a new edit. A deleted news item comes back as Not Show.' },
    delete: {
      body: 'Deleted news items disappear from the list and the official website. You can undo this, or restore them under Deleted news. Restored news items come back as Not Show.',
    },
  },
};
