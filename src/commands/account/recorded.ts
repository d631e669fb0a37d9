import { text, type Recorded } from '../../lib/ui/record/fields.ts';

export const recorded = {
  passkey: { name: text('account.field.passkeyName') },
  session: {},
} as const satisfies Recorded;
