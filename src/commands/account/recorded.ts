import { text, type RecordedFields } from '../../lib/ui/record/fields.ts';

export const recorded = {
  passkey: { name: text('account.field.passkeyName') },
  session: { name: text('cli.machine'), ip: text('account.sessions.address') },
} as const satisfies RecordedFields;
