import { choiceField, commonFields, flagField, link, text, time, type RecordedFields } from '../../lib/ui/record/fields.ts';

export const recorded = {
  notice: {
    content: text('notices.field.content'),
    link: link('notices.field.link'),
    platform: choiceField('notices.field.platform', 'notices.platform'),
    shown: flagField('record.field.shown'),
    startsAt: time('schedule.startsAt'),
    endsAt: time('schedule.endsAt'),
    creatorEmail: text('notices.field.creatorEmail'),
    ...commonFields,
  },
} as const satisfies RecordedFields;
