import {
  choiceField,
  commonFields,
  count,
  flagField,
  link,
  picture,
  recordField,
  recordsField,
  technicalField,
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
    language: choiceField('newsTranslations.field.language', 'newsTranslations.language'),
    translatedTitle: text('newsTranslations.field.translatedTitle'),
    translatedDescription: text('newsTranslations.field.translatedDescription'),
    translatedLink: link('newsTranslations.field.translatedLink'),
    shown: flagField('record.field.shown'),
    startsAt: time('schedule.startsAt'),
    endsAt: time('schedule.endsAt'),
    joined: recordField('newsTranslations.join.field.joined', {
      id: technicalField,
      title: text('news.field.title'),
      kept: choiceField('newsTranslations.join.field.kept', 'newsTranslations.join.item'),
      links: choiceField('newsTranslations.join.field.links', 'newsTranslations.join.links'),
      image: choiceField('newsTranslations.join.field.image', 'newsTranslations.join.item'),
      period: choiceField('newsTranslations.join.field.period', 'newsTranslations.join.item'),
    }),
    joinedInto: technicalField,
    createdBy: technicalField,
    feedItemId: technicalField,
    importedLink: technicalField,
    ...commonFields,
  },
  feed: {
    read: recordsField('record.field.feedsRead', {
      url: link('record.field.url'),
      entries: count('record.field.entries'),
    }),
    skipped: recordsField('record.field.feedsSkipped', {
      feed: text('record.field.feed'),
      reason: choiceField('record.field.reason', 'form.feed'),
      count: count('record.field.entries'),
    }),
    failed: recordsField('record.field.feedsFailed', {
      feed: text('record.field.feed'),
      reason: choiceField('record.field.reason', 'record.feedFailed'),
    }),
  },
} as const satisfies RecordedFields;
