import { bytes, count, technicalField, type RecordedFields } from '../../lib/ui/record/fields.ts';

export const recorded = {
  picture: {
    width: count('record.field.pictureWidth'),
    height: count('record.field.pictureHeight'),
    bytes: bytes('record.field.size'),
    sha256: technicalField,
  },
} as const satisfies RecordedFields;
