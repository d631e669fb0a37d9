import { permission, technical, text, type RecordedFields } from '../../lib/ui/record/fields.ts';

export const recorded = {
  view: {
    name: text('views.field.name'),
    place: permission('record.field.screen'),
    query: technical,
    id: technical,
    version: technical,
  },
} as const satisfies RecordedFields;
