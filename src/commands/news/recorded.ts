import {
  choice,
  commonFields,
  count,
  flag,
  link,
  picture,
  recordsField,
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
