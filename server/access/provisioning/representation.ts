import { coreSchemas } from './schemas.ts';

export interface UserResource {
  id: string;
  userName: string;
  externalId: string | null;
  active: boolean;
  displayName: string;
  formattedName: string;
  givenName: string;
  familyName: string;
  email: string;
  createdAt: Date;
  updatedAt: Date;
  groups: readonly { id: string; displayName: string }[];
}

export interface GroupResource {
  id: string;
  displayName: string;
  externalId: string | null;
  createdAt: Date;
  updatedAt: Date;
  /** Null: left out by the request. */
  members: readonly { id: string; userName: string }[] | null;
}

interface ListedResources {
  total: number;
  startIndex: number;
  resources: readonly object[];
}

/** `base`: the address of `/scim/v2`. Never contains a password. */
export const presentUser = (base: string, user: UserResource) => ({
  schemas: [coreSchemas.user],
  id: user.id,
  ...(user.externalId !== null && { externalId: user.externalId }),
  userName: user.userName,
  name: { formatted: user.formattedName, givenName: user.givenName, familyName: user.familyName },
  displayName: user.displayName,
  active: user.active,
  emails: [{ value: user.email, type: 'work', primary: true }],
  groups: user.groups.map(({ id, displayName }) => ({ value: id, display: displayName, $ref: `${base}/Groups/${id}` })),
  meta: presentMeta(`${base}/Users/${user.id}`, 'User', user),
});

export const presentGroup = (base: string, group: GroupResource) => ({
  schemas: [coreSchemas.group],
  id: group.id,
  ...(group.externalId !== null && { externalId: group.externalId }),
  displayName: group.displayName,
  ...(group.members && {
    members: group.members.map(({ id, userName }) => ({ value: id, display: userName, $ref: `${base}/Users/${id}` })),
  }),
  meta: presentMeta(`${base}/Groups/${group.id}`, 'Group', group),
});

export const presentList = ({ total, startIndex, resources }: ListedResources) => ({
  schemas: [coreSchemas.list],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
});

const presentMeta = (location: string, resourceType: string, { createdAt, updatedAt }: { createdAt: Date; updatedAt: Date }) => ({
  resourceType,
  created: createdAt.toISOString(),
  lastModified: updatedAt.toISOString(),
  location,
});
