import { readAttributes, readItemValue, readMemberPath, readPatch, type Change } from './patch-operations.ts';
import { createReadOnlyError } from './user-attributes.ts';
import { createInvalidValue, readText } from './values.ts';

export interface GroupAttributes {
  displayName: string;
  externalId: string | null;
  /** IDs of users, which may not exist. */
  members: ReadonlySet<string>;
}

const emptyGroup: GroupAttributes = { displayName: '', externalId: null, members: new Set() };
const maxMembers = 5_000;

/** Of a POST body. Throws invalidValue. */
export const readNewGroup = (body: unknown): GroupAttributes => checkGroup(readAttributes(body).reduce(applyChange, emptyGroup));

/** A PUT. `externalId` stays if the body leaves it out. */
export const replaceGroup = ({ externalId }: GroupAttributes, body: unknown): GroupAttributes =>
  checkGroup(readAttributes(body).reduce(applyChange, { ...emptyGroup, externalId }));

/** Applies all operations, or throws. */
export const patchGroup = (group: GroupAttributes, body: unknown, id: string): GroupAttributes =>
  checkGroup(
    readPatch(body).reduce((patched, change) => {
      if (/^(id|meta)(?![\w-])/.test(change.path) && !(change.isPathless && change.path === 'id' && change.value === id))
        throw createReadOnlyError();
      return applyChange(patched, change);
    }, group),
  );

function applyChange(group: GroupAttributes, { kind, path, value }: Change): GroupAttributes {
  if (path === 'displayname') return { ...group, displayName: (kind === 'remove' ? null : readText(value, 'displayName')) ?? '' };
  if (path === 'externalid') return { ...group, externalId: (kind === 'remove' ? null : readText(value, 'externalId')) || null };
  if (path === 'members') return { ...group, members: changeMembers(group.members, kind, value) };
  const member = readMemberPath(path);
  if (member === null) return group;
  if (kind !== 'remove') throw createInvalidValue('members');
  return { ...group, members: new Set([...group.members].filter((id) => id !== member.toLowerCase())) };
}

function changeMembers(members: ReadonlySet<string>, kind: Change['kind'], value: unknown): ReadonlySet<string> {
  if (kind === 'remove' && (value === undefined || value === null)) return new Set();
  const ids = readMembers(value);
  if (kind === 'remove') return new Set([...members].filter((id) => !ids.has(id)));
  return kind === 'add' ? new Set([...members, ...ids]) : ids;
}

function readMembers(value: unknown): Set<string> {
  const items: unknown[] = value === null || value === undefined ? [] : Array.isArray(value) ? value : [value];
  return new Set(
    items.map((item) => {
      const id = readItemValue(item);
      if (typeof id !== 'string' || id === '' || id.length > 254) throw createInvalidValue('members');
      return id.toLowerCase();
    }),
  );
}

function checkGroup(group: GroupAttributes): GroupAttributes {
  if (group.displayName === '') throw createInvalidValue('displayName');
  if (group.members.size > maxMembers) throw createInvalidValue('members');
  return group;
}
