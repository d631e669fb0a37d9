import { bytes, count, permission, technical, text, type Recorded } from '../../lib/ui/record/fields.ts';

/** What the audit holds of saved views and uploaded pictures. */
export const recorded = {
  view: {
    name: text('views.field.name'),
    place: permission('record.field.screen'),
    query: technical,
    id: technical,
    version: technical,
  },
  picture: {
    width: count('record.field.pictureWidth'),
    height: count('record.field.pictureHeight'),
    bytes: bytes('record.field.size'),
    sha256: technical,
  },
} as const satisfies Recorded;
