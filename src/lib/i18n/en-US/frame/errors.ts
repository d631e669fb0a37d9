import { countText } from '../../plural.ts';
import { signInErrors } from '../access/sign-in-errors.ts';

/** Keys are the error codes of api/errors.ts. */
export const errors = {
  ...signInErrors,
  taproot: 'Your current address is not a taproot address. Please switch to taproot address.',
  setUpFactor: 'Set up authenticator app',
  vouch: 'No colleague has vouched for your second factor yet. Ask an access administrator for an enrollment code.',
  useEnrollmentCode: 'Use enrollment code',
  changed: 'Someone else changed this record. {{changes}}. Check the record and try again.',
  code: {
    ...signInErrors.code,
    NO_ACCOUNT: 'No account was detected',
    CODE_WRONG: 'This verification code is incorrect or has expired. Request a new one.',
    FACTOR_WRONG: 'The second factor didn’t match. Try again or use another one.',
    FACTOR_STALE: 'Confirm it’s you to continue.',
    IN_PROGRESS: 'The same request is already in progress. Wait a moment.',
    ATTEMPT_GONE: 'Signing in took too long. Start again.',
    LINK_GONE: 'This link has been used or has expired. Ask for a new one.',
    LOST: 'The connection dropped before the server replied. Check whether your change was saved before you try again.',
    PASSWORD_REQUIRED: 'Choose your own password in My account first.',
    FACTOR_REQUIRED: 'Set up a second factor in My account first.',
    SSO_FAILED: 'Single sign-on didn’t work. Try again.',
    SSO_OFF: 'Single sign-on isn’t set up on this server. Sign in another way, or ask your system administrator.',
    PROVIDER_REQUIRED: ({ name }: { name: string }) =>
      `You have to sign in with ${name}. To unlink your account, ask an access administrator.`,
    LAST_SIGN_IN_METHOD: 'You would have no way to sign in. Link a wallet first.',
    NETWORK: 'Your role isn’t active on this network. Connect to a network of the role, or ask an administrator.',
    NOT_HERE: 'This command is only allowed in the browser. Run the command in the panel.',
    NOT_FOR_SERVICES: 'Only a person can do this. Sign in to the panel.',
    VIEW_ONLY: 'You can’t change anything while you view the panel as a role or person. Leave the view first.',
    GRANT_BEYOND_OWN: 'You can’t grant permissions you don’t have.',
    OWN_ACCESS: 'You can’t change your own roles or status, or loosen a role you have. Ask another administrator.',
    HOLDS_MORE: 'You can’t change this administrator, who has permissions you don’t have.',
    CONFLICT: 'Someone else changed this record while you were working on it. Compare and try again.',
    DRIFTED: 'Nothing was changed because the matching records have changed since you selected them. Select again.',
    INCOMPLETE: 'This record is missing required information. Edit the record first.',
    ADDRESS_TAKEN: 'This address is linked to another administrator. Use another address.',
    GUARDED_ROLE: ({ name }: { name: string }) =>
      `Roles with custody, CRSM, access or audit permissions can’t come from ${name}. Use a role without these permissions.`,
    IDP_MANAGED: ({ name }: { name: string }) =>
      `The identity provider (${name}) manages this setting. Change the setting there.`,
    LAST_ACCESS: 'At least one person must be able to manage access. Give someone else these permissions first.',
    EXPORT_FAILED: ({ problem }: { problem?: string }) =>
      problem === 'tooLarge'
        ? 'The file would be larger than 256 MB. Narrow the filter and export again.'
        : problem === 'forbidden'
          ? 'The export stopped because you no longer have permission. Ask an administrator.'
          : 'The export was interrupted several times. Export again.',
    EXPORT_LIMIT: ({ limit }: { limit?: number }) =>
      `You already have ${countText(limit ?? 2, 'export')} running. Wait until one is done, or stop one.`,
    BALANCE_TOO_LOW: ({ addresses }: { addresses?: string }) =>
      addresses
        ? `Not enough points. These balances would drop below zero: ${addresses}`
        : 'Not enough points. The balance would drop below zero.',
    NOT_REVERSIBLE: 'An entry can be reversed only once. A reversal can’t be reversed.',
    MONEY_FROZEN: 'Money is frozen. You can’t do this until the freeze is lifted.',
    IN_USE: ({ by }: { by?: string }) =>
      by
        ? `These administrators still have this role: ${by}. Remove the role from the administrators first.`
        : 'Administrators still have this role. Remove the role from the administrators first.',
    ALREADY_IMPORTED: 'This file has already been imported. Refresh, then check the earlier import.',
    DEPOSIT_KNOWN: 'This transaction output is already recorded. Open the existing deposit instead.',
    MONEY_REFUSED: 'The signing rules don’t allow this. Check the rules in the authority log.',
    CRSM_REFUSED: 'This transaction would fail on chain right now, so it wasn’t sent. Refresh and check the values.',
    JOIN_REFUSED:
      'These news items have changed, so you can’t join them or undo the join. Refresh the list and check both items.',
    BUILT_ON: 'Can’t undo: some imported records have changed since the import.',
    PAYLOAD_TOO_LARGE: 'This is too large to send. Shorten your entry and try again.',
    UNSUPPORTED_MEDIA_TYPE: 'This file type isn’t supported. Choose another file.',
    PICTURE_REFUSED: 'This picture can’t be used. Use JPEG, PNG or WebP, up to 5 MB.',
    PICTURE_QUOTA: ({ pictures, megabytes }: { pictures?: number; megabytes?: number }) => {
      const limits = [pictures ? countText(pictures, 'picture') : '', megabytes ? `${megabytes} MB` : '']
        .filter(Boolean)
        .join(', ');
      return `You’ve reached the upload limit for 24 hours${limits && ` (${limits})`}. Try again later, or enter a link to a picture on the web.`;
    },
    IDEMPOTENCY_MISMATCH: 'This was already sent with different content. Reload the page and try again.',
  },
};
