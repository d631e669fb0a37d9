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
    hidden: 'Already not shown',
    noImage: 'Has no image: edit it and give an image address first',
  },
  empty: 'What the official website shows as news is kept here. Add some, or get it from the feeds.',
  known: 'Already among the news',
  imported: ({ count }: { count: number }) =>
    count > 0 ? `Imported ${count} news ${count === 1 ? 'item' : 'items'}, not shown yet` : 'All of them were there already',
  search: 'Search titles…',
  kinds: {
    news: 'News',
  },
  ask: {
    restore: {
      title: 'Restore this version?',
      act: 'Restore this version',
      body: 'It is saved as a new edit; a deleted news comes back not shown.',
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
      body: 'It can be undone, and is then back as Not Show.',
    },
  },
};
