import { choiceField, count, listField, technicalField, text, type RecordedFields } from '../../lib/ui/record/fields.ts';

export const recorded = {
  passkey: { name: text('account.field.passkeyName') },
  session: {
    name: text('cli.machine'),
    ip: text('account.sessions.address'),
    method: choiceField('account.field.method', 'account.method'),
    issuer: text('administrators.field.issuer'),
    link: technicalField,
    acr: technicalField,
    groups: technicalField,
    amr: listField('account.field.method', { as: 'text' }),
    ended: count('record.field.sessionsEnded'),
  },
} as const satisfies RecordedFields;
