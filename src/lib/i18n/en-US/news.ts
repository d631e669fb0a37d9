export const news = {
  count: ({ count }: { count: number }) => (count === 1 ? '1 news item' : `${count} news items`),
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
  blocked: {
    shown: 'Already shown',
    hidden: 'Already hidden',
    noImage: 'No image. Edit the item and add an image address first.',
  },
  empty: 'News for the official website is managed here. Add an item, or get news from the feeds.',
  known: 'Already added',
  imported: ({ count }: { count: number }) =>
    count > 0 ? `Imported ${count} news ${count === 1 ? 'item' : 'items'}, not shown yet` : 'All of them were there already',
  search: 'Search titles…',
  kinds: {
    feed: 'News feeds',
    news: 'News',
  },
  ask: {
    restore: {
      title: 'Restore this version?',
      act: 'Restore this version',
      body: 'Saves it as a new edit. A deleted news item comes back as Not Show.',
    },
    show: {
      title: ({ count }: { count: number }) => (count === 1 ? 'Show this news?' : `Show these ${count} news?`),
      act: ({ count }: { count: number }) => (count === 1 ? 'Show news' : `Show ${count} news`),
    },
    hide: {
      title: ({ count }: { count: number }) => (count === 1 ? 'Stop showing this news?' : `Stop showing these ${count} news?`),
      act: ({ count }: { count: number }) => (count === 1 ? 'Hide news' : `Hide ${count} news`),
    },
    delete: {
      title: ({ count }: { count: number }) => (count === 1 ? 'Delete this news?' : `Delete these ${count} news?`),
      act: ({ count }: { count: number }) => (count === 1 ? 'Delete news' : `Delete ${count} news`),
      body: 'You can undo this. Restored items come back as Not Show.',
    },
  },
};
