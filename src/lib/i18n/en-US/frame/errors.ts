import { signInErrors } from '../access/sign-in-errors.ts';

/** One text for each error code (api/errors.ts). */
export const errors = {
  ...signInErrors,
  code: {
    ...signInErrors.code,
    LOST: 'The connection broke before an answer came: it may have been done. Look before you try again.',
    PASSWORD_REQUIRED: 'Choose your own password under My account first.',
    FACTOR_REQUIRED: 'Set up a second factor under My account first.',
    GRANT_BEYOND_OWN: 'You cannot grant rights that you do not hold yourself.',
    OWN_ACCESS: 'Nobody changes their own roles or status. Ask a colleague.',
    HOLDS_MORE: 'This administrator holds rights that you do not, so you cannot change them.',
    CONFLICT: 'Somebody changed this record meanwhile.',
    DRIFTED: 'What matches has changed: nothing was done. Choose again.',
    INCOMPLETE: 'This record lacks something required.',
    ADDRESS_TAKEN: 'This address is bound to another administrator.',
    LAST_ACCESS: 'Nobody would be left who can manage access. Give somebody else these rights first.',
    BALANCE_TOO_LOW: ({ addresses }: { addresses?: string }) =>
      addresses ? `The balance would be below zero: ${addresses}` : 'The balance would be below zero.',
    NOT_REVERSIBLE: 'An entry can be reversed once, and a reversal not at all.',
    MONEY_FROZEN: 'Money is frozen: nothing goes on until that is lifted.',
    IN_USE: ({ by }: { by?: string }) => (by ? `This is still in use by: ${by}` : 'This is still in use.'),
    ALREADY_IMPORTED: 'This file was imported already.',
    DEPOSIT_KNOWN: 'This output is recorded already.',
    MONEY_REFUSED: 'A rule of money does not allow this.',
    CRSM_REFUSED: 'The chain would refuse this as it stands.',
    BUILT_ON: 'It was changed since: no undo.',
    PAYLOAD_TOO_LARGE: 'This is too large.',
    UNSUPPORTED_MEDIA_TYPE: 'This kind of content is not taken.',
    PICTURE_REFUSED: 'This picture cannot be used: JPEG, PNG or WebP up to 5 MB.',
    PICTURE_QUOTA: ({ pictures, megabytes }: { pictures?: number; megabytes?: number }) => {
      const limits = [
        pictures ? `${pictures} ${pictures === 1 ? 'picture' : 'pictures'}` : '',
        megabytes ? `${megabytes} MB` : '',
      ]
        .filter(Boolean)
        .join(', ');
      return `That would be more than one person may send in 24 hours${limits && ` (${limits})`}. Send it later, or enter the link of a picture on the web.`;
    },
    IDEMPOTENCY_MISMATCH: 'This request differs from the one before it.',
  },
};
