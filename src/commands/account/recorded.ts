import { text, type RecordedFields } from '../../lib/ui/record/fields.ts';

export const recorded = {
  passkey: { name: text('account.field.passkeyName') },
  session: {},
} as const satisfies RecordedFields;
