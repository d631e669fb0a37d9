export const news = {
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
  feedEmpty: 'The feeds hold nothing new',
  known: 'Already among the news',
  imported: ({ count }: { count: number }) =>
    count > 0 ? `Imported ${count} news, not shown yet` : 'All of them were there already',
  search: 'Search titles…',
};
