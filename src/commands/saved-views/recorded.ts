import { permission, technicalField, text, type RecordedFields } from '../../lib/ui/record/fields.ts';

export const recorded = {
  view: {
    name: text('views.field.name'),
    place: permission('record.field.screen'),
    query: technicalField,
    id: technicalField,
    version: technicalField,
  },
} as const satisfies RecordedFields;
