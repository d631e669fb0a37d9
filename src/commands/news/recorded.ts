import {
  choice,
  commonFields,
  count,
  flag,
  link,
  picture,
  recordField,
  recordsField,
  technical,
  text,
  time,
  type RecordedFields,
} from '../../lib/ui/record/fields.ts';

export const recorded = {
  news: {
    title: text('news.field.title'),
    description: text('news.field.description'),
    image: picture('news.field.picture'),
    time: time('news.field.time'),
    link: link('news.field.link'),
    language: choice('newsTexts.field.language', 'newsTexts.language'),
    translatedTitle: text('newsTexts.field.translatedTitle'),
    translatedDescription: text('newsTexts.field.translatedDescription'),
    translatedLink: link('newsTexts.field.translatedLink'),
    shown: flag('record.field.shown'),
    startsAt: time('schedule.startsAt'),
    endsAt: time('schedule.endsAt'),
    joined: recordField('newsTexts.join.field.joined', {
      id: technical,
      title: text('news.field.title'),
      kept: choice('newsTexts.join.field.kept', 'newsTexts.join.item'),
      links: choice('newsTexts.join.field.links', 'newsTexts.join.links'),
      image: choice('newsTexts.join.field.image', 'newsTexts.join.item'),
      period: choice('newsTexts.join.field.period', 'newsTexts.join.item'),
    }),
    joinedInto: technical,
    createdBy: technical,
    feedItemId: technical,
    importedLink: technical,
    ...commonFields,
  },
  feed: {
    read: recordsField('record.field.feedsRead', {
      url: link('record.field.url'),
      entries: count('record.field.entries'),
    }),
    skipped: recordsField('record.field.feedsSkipped', {
      feed: text('record.field.feed'),
      reason: choice('record.field.reason', 'form.feed'),
      count: count('record.field.entries'),
    }),
    failed: recordsField('record.field.feedsFailed', {
      feed: text('record.field.feed'),
      reason: choice('record.field.reason', 'record.feedFailed'),
    }),
  },
} as const satisfies RecordedFields;
