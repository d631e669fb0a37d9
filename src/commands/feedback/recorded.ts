import {
  commonFields,
  flagField,
  listField,
  recordsField,
  technicalField,
  text,
  time,
  type RecordedFields,
} from '../../lib/ui/record/fields.ts';

export const recorded = {
  feedback: {
    email: text('feedback.field.email'),
    content: text('feedback.field.content'),
    pictures: listField('feedback.field.pictures', { as: 'picture' }),
    processed: flagField('feedback.field.processed'),
    processedAt: time('feedback.field.processedAt'),
    replies: recordsField('feedback.field.replies', {
      content: text('feedback.field.reply'),
      by: text('record.field.by'),
      at: time('record.field.at'),
      id: technicalField,
    }),
    ...commonFields,
  },
} as const satisfies RecordedFields;
