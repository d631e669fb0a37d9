import { bytes, choiceField, count, listField, technicalField, text, type RecordedFields } from '../../lib/ui/record/fields.ts';

export const recorded = {
  import: {
    kind: choiceField('record.field.kind', 'imports.title'),
    name: text('imports.field.file'),
    state: choiceField('record.field.state', 'imports.state'),
    total: count('record.field.rows'),
    edited: count('record.field.rowsEdited'),
    repairs: listField('record.field.repairs', { as: 'text' }),
    worked: count('record.field.rowsWorked'),
    imported: count('record.field.rowsImported'),
    refused: count('record.field.rowsRefused'),
    taken: count('record.field.rowsTaken'),
    bytes: bytes('record.field.size'),
    sha256: technicalField,
    version: technicalField,
  },
} as const satisfies RecordedFields;
