import { signInErrors } from '../access/sign-in-errors.ts';

/** One text for each error code (api/errors.ts). */
export const errors = {
  ...signInErrors,
  code: {
    ...signInErrors.code,
    LOST: 'The connection dropped before the server replied. Your change may have been saved. Check before you try again.',
    PASSWORD_REQUIRED: 'Choose your own password in My account first.',
    FACTOR_REQUIRED: 'Set up a second factor in My account first.',
    GRANT_BEYOND_OWN: 'You can’t grant permissions you don’t have.',
    OWN_ACCESS: 'You can’t change your own roles or status. Ask a colleague.',
    HOLDS_MORE: 'You can’t change this administrator because they have permissions you don’t.',
    CONFLICT: 'Someone else changed this record while you were working on it.',
    DRIFTED: 'Nothing was changed. Different records match now than when you selected them. Select again.',
    INCOMPLETE: 'This record is missing required information.',
    ADDRESS_TAKEN: 'This address is bound to another administrator.',
    LAST_ACCESS: 'At least one person must be able to manage access. Give someone else these permissions first.',
    BALANCE_TOO_LOW: ({ addresses }: { addresses?: string }) =>
      addresses ? `The balance would be below zero: ${addresses}` : 'The balance would be below zero.',
    NOT_REVERSIBLE: 'An entry can be reversed only once. A reversal can’t be reversed.',
    MONEY_FROZEN: 'Money is frozen. You can’t do this until the freeze is lifted.',
    IN_USE: ({ by }: { by?: string }) => (by ? `This is still in use by: ${by}` : 'This is still in use.'),
    ALREADY_IMPORTED: 'This file has already been imported.',
    DEPOSIT_KNOWN: 'This output is already recorded.',
    MONEY_REFUSED: 'The signing rules don’t allow this.',
    CRSM_REFUSED: 'This transaction would fail on chain right now.',
    BUILT_ON: 'Can’t undo: this record has changed since then.',
    PAYLOAD_TOO_LARGE: 'This is too large to send.',
    UNSUPPORTED_MEDIA_TYPE: 'This file type isn’t supported.',
    PICTURE_REFUSED: 'This picture can’t be used. Use JPEG, PNG or WebP, up to 5 MB.',
    PICTURE_QUOTA: ({ pictures, megabytes }: { pictures?: number; megabytes?: number }) => {
      const limits = [
        pictures ? `${pictures} ${pictures === 1 ? 'picture' : 'pictures'}` : '',
        megabytes ? `${megabytes} MB` : '',
      ]
        .filter(Boolean)
        .join(', ');
      return `That would be more than one person may send in 24 hours${limits && ` (${limits})`}. Send it later, or enter the link of a picture on the web.`;
    },
    IDEMPOTENCY_MISMATCH: 'This was already sent with different content. Reload the page and try again.',
  },
};
