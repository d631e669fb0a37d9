import { normalizeEmail } from '../../platform/auth/sign-in/password.ts';
import { isMailbox } from '../../../api/access/administrators.ts';
import { readAttributes, readPatch, type Change } from './patch-operations.ts';
import { createBadRequest } from './scim-error.ts';
import { createInvalidValue, isObject, parseBoolean, readBoolean, readOwn, readText } from './values.ts';

/** What is kept of a user. */
export interface UserAttributes {
  userName: string;
  externalId: string | null;
  active: boolean;
  displayName: string;
  formattedName: string;
  givenName: string;
  familyName: string;
  /** Normalized. Null: the user name, if it is an email. */
  email: string | null;
}

const emptyUser: UserAttributes = {
  userName: '',
  externalId: null,
  active: true,
  displayName: '',
  formattedName: '',
  givenName: '',
  familyName: '',
  email: null,
};

export type CheckedUser = UserAttributes & { email: string };

type TextAttribute = 'displayName' | 'formattedName' | 'givenName' | 'familyName';
type ApplyChange = (user: UserAttributes, value: unknown) => UserAttributes;

const applyText =
  (attribute: TextAttribute): ApplyChange =>
  (user, value) => ({ ...user, [attribute]: readText(value, attribute) ?? '' });

const applyEmail: ApplyChange = (user, value) => ({ ...user, email: readEmail(value) });

/** By path in lower case. What is not here is ignored or refused. */
const appliers: ReadonlyMap<string, ApplyChange> = new Map<string, ApplyChange>([
  ['username', (user, value) => ({ ...user, userName: readText(value, 'userName') ?? '' })],
  ['externalid', (user, value) => ({ ...user, externalId: readText(value, 'externalId') || null })],
  ['active', (user, value) => ({ ...user, active: readBoolean(value, 'active') })],
  ['displayname', applyText('displayName')],
  ['name.formatted', applyText('formattedName')],
  ['name.givenname', applyText('givenName')],
  ['name.familyname', applyText('familyName')],
  ['emails', (user, value) => ({ ...user, email: chooseEmail(value) })],
  ['emails.value', applyEmail],
  ['emails[type eq "work"]', (user, value) => ({ ...user, email: chooseEmail(value) })],
  ['emails[type eq "work"].value', applyEmail],
  ['emails[primary eq true].value', applyEmail],
  ['emails[primary eq "true"].value', applyEmail],
]);

const readOnlyPattern = /^(id|meta|groups)(?![\w-])/;

/** Of a POST body. Throws invalidValue. */
export const readNewUser = (body: unknown): CheckedUser => checkUser(applyChanges(emptyUser, readAttributes(body)));

/** A PUT. What the body leaves out is emptied, but `active` and `externalId` stay. */
export function replaceUser(user: UserAttributes, body: unknown): CheckedUser {
  const { active, externalId } = user;
  return checkUser(applyChanges({ ...emptyUser, active, externalId }, readAttributes(body)));
}

/** Applies all operations, or throws. */
export const patchUser = (user: UserAttributes, body: unknown, id: string): CheckedUser =>
  checkUser(readPatch(body).reduce((patched, change) => applyPatch(patched, change, id), user));

function applyPatch(user: UserAttributes, change: Change, id: string): UserAttributes {
  const { kind, path, value, isPathless } = change;
  if (readOnlyPattern.test(path) && !(isPathless && path === 'id' && value === id)) throw createReadOnlyError();
  if (path === 'name' && kind === 'remove') return { ...user, formattedName: '', givenName: '', familyName: '' };
  if (path === 'name' && isObject(value)) return readAttributes({ name: value }).reduce(applyChange, user);
  return applyChange(user, kind === 'remove' ? { ...change, value: null } : change);
}

export const createReadOnlyError = () => createBadRequest('mutability', 'This attribute is read-only.');

/** Read-only attributes of a whole resource are ignored (RFC 7644, 3.5.1). */
const applyChanges = (user: UserAttributes, changes: readonly Change[]): UserAttributes => changes.reduce(applyChange, user);

const applyChange = (user: UserAttributes, { path, value }: Change): UserAttributes => appliers.get(path)?.(user, value) ?? user;

function checkUser(user: UserAttributes): CheckedUser {
  if (user.userName === '') throw createInvalidValue('userName');
  const email = user.email ?? (isMailbox(user.userName) ? normalizeEmail(user.userName) : null);
  if (email === null) throw createInvalidValue('emails');
  return { ...user, email };
}

function readEmail(value: unknown): string | null {
  const text = readText(value, 'emails');
  if (text === null || text === '') return null;
  if (!isMailbox(text)) throw createInvalidValue('emails');
  return normalizeEmail(text);
}

/** The primary one, else that of work, else the first. */
function chooseEmail(value: unknown): string | null {
  if (!Array.isArray(value)) return readEmail(isObject(value) ? readOwn(value, 'value') : value);
  const items = (value as unknown[]).map((item) => (isObject(item) ? item : { value: item }));
  const chosen =
    items.find((item) => parseBoolean(readOwn(item, 'primary')) === true) ??
    items.find((item) => String(readOwn(item, 'type')).toLowerCase() === 'work') ??
    items[0];
  return chosen ? readEmail(readOwn(chosen, 'value')) : null;
}
