import { text, type Recorded } from '../../lib/ui/record/fields.ts';

/** What the audit holds of one's own passkeys and sessions. */
export const recorded = {
  passkey: { name: text('account.field.passkeyName') },
  session: {},
} as const satisfies Recorded;
