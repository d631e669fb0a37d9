import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  cidr,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core';
import { grantSources, groupSources, provisioningConflictReasons } from '../../../api/access/identity-values.ts';
import { revocationReasons, tokenKinds } from '../../../api/access/service-values.ts';
import { accountChangeKinds } from '../../../api/access/account-changes.ts';
import { linkOrigins, signInMethods } from '../../../api/access/sign-in-values.ts';
import { timestamptz } from '../db/columns.ts';

export const administrators = pgTable(
  'administrators',
  {
    id: uuid('id').primaryKey(),
    version: integer('version').notNull().default(1),
    /** Normalized. A deleted account may have the same. */
    email: text('email').notNull(),
    passwordHash: text('password_hash'),
    description: text('description').notNull().default(''),
    enabled: boolean('enabled').notNull().default(true),
    /** Only while disabled. The provider enables again only what it disabled. */
    disabledBy: text('disabled_by', { enum: grantSources }),
    /** Canonical taproot address. */
    walletAddress: text('wallet_address').unique(),
    /** Encrypted. Null until enrolled. */
    totpSecret: text('totp_secret'),
    /** A step is accepted once. */
    totpLastStep: bigint('totp_last_step', { mode: 'number' }),
    passwordChangedAt: timestamptz('password_changed_at'),
    /** Of a colleague's password. Null: the owner's own. */
    passwordExpiresAt: timestamptz('password_expires_at'),
    /** The email may be reused. */
    deletedAt: timestamptz('deleted_at'),
    /** Ignored in production. */
    demo: boolean('demo').notNull().default(false),
    /**
     * Null: set up without a password or an enrollment code, so it opens nothing guarded. Every first factor writes it; the
     * default serves servers of version 1.0.0, where a first factor always took the password.
     */
    factorVouchedAt: timestamptz('factor_vouched_at').default(sql`now()`),
    createdAt: timestamptz('created_at').notNull(),
    updatedAt: timestamptz('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('administrators_email_live')
      .on(table.email)
      .where(sql`${table.deletedAt} is null`),
    index('administrators_email').on(table.email, table.id),
    index('administrators_created').on(table.createdAt, table.id),
  ],
);

export const roles = pgTable('roles', {
  id: uuid('id').primaryKey(),
  version: integer('version').notNull().default(1),
  /** From server/seed/roles.ts. Null: custom. */
  seed: text('seed').unique(),
  name: text('name').notNull().unique(),
  description: text('description').notNull().default(''),
  needsFactor: boolean('needs_factor').notNull().default(false),
  /** From elsewhere the role grants nothing. Empty: from everywhere. */
  networks: cidr('networks').array().notNull().default([]),
  /** Null: as on the server. */
  idleMinutes: integer('idle_minutes'),
  sessionHours: integer('session_hours'),
  createdAt: timestamptz('created_at').notNull(),
  updatedAt: timestamptz('updated_at').notNull(),
});

export const administratorRoles = pgTable(
  'administrator_roles',
  {
    administratorId: uuid('administrator_id')
      .notNull()
      .references(() => administrators.id, { onDelete: 'cascade' }),
    roleId: uuid('role_id')
      .notNull()
      .references(() => roles.id),
    givenBy: text('given_by', { enum: grantSources }).notNull().default('panel'),
  },
  (table) => [
    primaryKey({
      name: 'administrator_roles_administrator_id_role_id_pk',
      columns: [table.administratorId, table.roleId, table.givenBy],
    }),
    index('administrator_roles_role').on(table.roleId),
  ],
);

export const permissionNodes = pgTable(
  'permission_nodes',
  {
    id: uuid('id').primaryKey(),
    version: integer('version').notNull().default(1),
    parentId: uuid('parent_id').references((): AnyPgColumn => permissionNodes.id),
    kind: text('kind', { enum: ['menu', 'function'] }).notNull(),
    /** A route's path or a command's id. */
    identifier: text('identifier').notNull().unique(),
    nameZh: text('name_zh').notNull(),
    nameEn: text('name_en').notNull(),
    position: integer('position').notNull(),
    createdAt: timestamptz('created_at').notNull(),
    updatedAt: timestamptz('updated_at').notNull(),
  },
  (table) => [
    index('permission_nodes_parent').on(table.parentId, table.position),
    check('permission_nodes_kind', sql`${table.kind} in ('menu', 'function')`),
  ],
);

export const roleNodes = pgTable(
  'role_nodes',
  {
    roleId: uuid('role_id')
      .notNull()
      .references(() => roles.id, { onDelete: 'cascade' }),
    nodeId: uuid('node_id')
      .notNull()
      .references(() => permissionNodes.id, { onDelete: 'cascade' }),
  },
  (table) => [primaryKey({ columns: [table.roleId, table.nodeId] }), index('role_nodes_node').on(table.nodeId)],
);

/** Holders of `roleId` may give `grantableId` to people (rights/role-granting.ts). */
export const grantableRoles = pgTable(
  'grantable_roles',
  {
    roleId: uuid('role_id')
      .notNull()
      .references(() => roles.id, { onDelete: 'cascade' }),
    grantableId: uuid('grantable_id')
      .notNull()
      .references(() => roles.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.roleId, table.grantableId] }),
    index('grantable_roles_grantable').on(table.grantableId),
  ],
);

/** By which another person could take over the account (counts-for-money.ts). */
export const accountChanges = pgTable(
  'account_changes',
  {
    id: uuid('id').primaryKey(),
    administratorId: uuid('administrator_id')
      .notNull()
      .references(() => administrators.id, { onDelete: 'cascade' }),
    /** Null: the provider, or admin:create on the server. */
    changedBy: uuid('changed_by').references(() => administrators.id, { onDelete: 'cascade' }),
    byIdp: boolean('by_idp').notNull().default(false),
    what: text('what', { enum: accountChangeKinds }).notNull(),
    /** `changedBy` vouched for the second factor. */
    byEnrollmentCode: boolean('by_enrollment_code').notNull().default(false),
    createdAt: timestamptz('created_at').notNull(),
  },
  (table) => [
    index('account_changes_administrator').on(table.administratorId, table.createdAt),
    check(
      'account_changes_what',
      sql`${table.what} in ('created', 'enabled', 'email', 'roles', 'rights', 'password', 'factor', 'wallet', 'linked')`,
    ),
  ],
);

/** One row, incremented by each change to permissions or menu. */
export const accessChanges = pgTable(
  'access_changes',
  {
    id: integer('id').primaryKey(),
    value: bigint('value', { mode: 'number' }).notNull(),
  },
  (table) => [check('access_changes_one', sql`${table.id} = 1`)],
);

/** One row, changed by triggers. */
export const rightsStamp = pgTable(
  'rights_stamp',
  {
    id: integer('id').primaryKey(),
    stamp: uuid('stamp').notNull(),
  },
  (table) => [check('rights_stamp_one', sql`${table.id} = 1`)],
);

export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    administratorId: uuid('administrator_id')
      .notNull()
      .references(() => administrators.id, { onDelete: 'cascade' }),
    /** Hex SHA-256 of token and cookie half. */
    tokenHash: text('token_hash').notNull().unique(),
    halfHash: text('half_hash').notNull(),
    createdAt: timestamptz('created_at').notNull(),
    lastSeenAt: timestamptz('last_seen_at').notNull(),
    expiresAt: timestamptz('expires_at').notNull(),
    revokedAt: timestamptz('revoked_at'),
    /** Of the strictest role. Null: as on the server. */
    idleMinutes: integer('idle_minutes'),
    method: text('method', { enum: signInMethods }).notNull().default('password'),
    /** Of a sign-in through the provider. */
    linkId: uuid('link_id').references((): AnyPgColumn => identityLinks.id, { onDelete: 'set null' }),
    /** The provider's session (`sid`). */
    idpSession: text('idp_session'),
    /** When the person signed in at the provider (`auth_time`). Never counts as a second factor. */
    ssoAt: timestamptz('sso_at'),
    /** Encrypted, to sign out at the provider too. */
    idToken: text('id_token'),
    /** Money commands require a recent factor. */
    factorAt: timestamptz('factor_at'),
    /** Setting up the first factor requires a recent password. */
    passwordAt: timestamptz('password_at'),
    ip: text('ip').notNull(),
    userAgent: text('user_agent').notNull(),
  },
  (table) => [index('sessions_administrator').on(table.administratorId), index('sessions_expires').on(table.expiresAt)],
);

/**
 * Which account a person of the identity provider signs in to. Stays when the account is deleted, so that a leaver's account is
 * not created again.
 */
export const identityLinks = pgTable(
  'identity_links',
  {
    id: uuid('id').primaryKey(),
    administratorId: uuid('administrator_id')
      .notNull()
      .references(() => administrators.id, { onDelete: 'cascade' }),
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    /** Last one from the provider. Finds no account. */
    email: text('email'),
    origin: text('origin', { enum: linkOrigins }).notNull(),
    /** Null: the provider. */
    linkedBy: uuid('linked_by').references(() => administrators.id, { onDelete: 'set null' }),
    createdAt: timestamptz('created_at').notNull(),
    lastUsedAt: timestamptz('last_used_at'),
  },
  (table) => [
    uniqueIndex('identity_links_subject').on(table.issuer, table.subject),
    uniqueIndex('identity_links_account').on(table.administratorId, table.issuer),
    check('identity_links_subject_length', sql`char_length(${table.subject}) between 1 and 255`),
  ],
);

/** Emailed links that link an account to a person of the provider. Each works once. */
export const linkInvitations = pgTable(
  'link_invitations',
  {
    id: uuid('id').primaryKey(),
    administratorId: uuid('administrator_id')
      .notNull()
      .references(() => administrators.id, { onDelete: 'cascade' }),
    tokenHash: text('token_hash').notNull().unique(),
    invitedBy: uuid('invited_by')
      .notNull()
      .references(() => administrators.id, { onDelete: 'cascade' }),
    createdAt: timestamptz('created_at').notNull(),
    expiresAt: timestamptz('expires_at').notNull(),
    usedAt: timestamptz('used_at'),
  },
  (table) => [index('link_invitations_administrator').on(table.administratorId)],
);

/** One row: the provider of the last start, to notice another one. */
export const ssoConfiguration = pgTable(
  'sso_configuration',
  {
    id: integer('id').primaryKey(),
    issuer: text('issuer').notNull(),
    clientId: text('client_id').notNull(),
    subjectClaim: text('subject_claim').notNull(),
    changedAt: timestamptz('changed_at').notNull(),
  },
  (table) => [check('sso_configuration_one', sql`${table.id} = 1`)],
);

/** One valid code each. */
export const mailCodes = pgTable(
  'mail_codes',
  {
    id: uuid('id').primaryKey(),
    administratorId: uuid('administrator_id')
      .notNull()
      .references(() => administrators.id, { onDelete: 'cascade' }),
    purpose: text('purpose', { enum: ['changePassword', 'resetPassword', 'newBrowser'] }).notNull(),
    codeHash: text('code_hash').notNull(),
    attempts: integer('attempts').notNull().default(0),
    createdAt: timestamptz('created_at').notNull(),
    expiresAt: timestamptz('expires_at').notNull(),
    usedAt: timestamptz('used_at'),
  },
  (table) => [index('mail_codes_administrator').on(table.administratorId, table.purpose)],
);

export const passwordLinks = pgTable(
  'password_links',
  {
    id: uuid('id').primaryKey(),
    administratorId: uuid('administrator_id')
      .notNull()
      .references(() => administrators.id, { onDelete: 'cascade' }),
    tokenHash: text('token_hash').notNull().unique(),
    createdAt: timestamptz('created_at').notNull(),
    expiresAt: timestamptz('expires_at').notNull(),
    usedAt: timestamptz('used_at'),
  },
  (table) => [index('password_links_administrator').on(table.administratorId)],
);

/** By which a colleague vouches for the person who sets up a second factor. */
export const enrollmentCodes = pgTable(
  'enrollment_codes',
  {
    id: uuid('id').primaryKey(),
    administratorId: uuid('administrator_id')
      .notNull()
      .references(() => administrators.id, { onDelete: 'cascade' }),
    codeHash: text('code_hash').notNull(),
    createdBy: uuid('created_by')
      .notNull()
      .references(() => administrators.id, { onDelete: 'cascade' }),
    attempts: integer('attempts').notNull().default(0),
    createdAt: timestamptz('created_at').notNull(),
    expiresAt: timestamptz('expires_at').notNull(),
    usedAt: timestamptz('used_at'),
  },
  (table) => [
    uniqueIndex('enrollment_codes_unused')
      .on(table.administratorId)
      .where(sql`${table.usedAt} is null`),
    index('enrollment_codes_expires').on(table.expiresAt),
  ],
);

export const knownBrowsers = pgTable(
  'known_browsers',
  {
    id: uuid('id').primaryKey(),
    administratorId: uuid('administrator_id')
      .notNull()
      .references(() => administrators.id, { onDelete: 'cascade' }),
    tokenHash: text('token_hash').notNull().unique(),
    createdAt: timestamptz('created_at').notNull(),
    lastSeenAt: timestamptz('last_seen_at').notNull(),
  },
  (table) => [index('known_browsers_administrator').on(table.administratorId)],
);

export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    id: uuid('id').primaryKey(),
    administratorId: uuid('administrator_id')
      .notNull()
      .references(() => administrators.id, { onDelete: 'cascade' }),
    codeHash: text('code_hash').notNull(),
    usedAt: timestamptz('used_at'),
  },
  (table) => [index('recovery_codes_administrator').on(table.administratorId)],
);

export const passkeys = pgTable(
  'passkeys',
  {
    id: uuid('id').primaryKey(),
    administratorId: uuid('administrator_id')
      .notNull()
      .references(() => administrators.id, { onDelete: 'cascade' }),
    credentialId: text('credential_id').notNull().unique(),
    publicKey: text('public_key').notNull(),
    counter: bigint('counter', { mode: 'number' }).notNull(),
    transports: text('transports').notNull().default(''),
    name: text('name').notNull(),
    createdAt: timestamptz('created_at').notNull(),
    lastUsedAt: timestamptz('last_used_at'),
  },
  (table) => [index('passkeys_administrator').on(table.administratorId)],
);

/** Consumed by the first answer. */
export const challenges = pgTable(
  'challenges',
  {
    id: uuid('id').primaryKey(),
    purpose: text('purpose').notNull(),
    /** SHA-256 of the pre-session cookie, or the session's id. */
    browser: text('browser').notNull(),
    administratorId: uuid('administrator_id').references(() => administrators.id, { onDelete: 'cascade' }),
    address: text('address'),
    /** The exact text to sign. */
    message: text('message').notNull(),
    createdAt: timestamptz('created_at').notNull(),
    expiresAt: timestamptz('expires_at').notNull(),
    usedAt: timestamptz('used_at'),
  },
  (table) => [index('challenges_expires').on(table.expiresAt), index('challenges_browser').on(table.browser)],
);

/** A script's account. Never a row of `administrators`. */
export const serviceAccounts = pgTable(
  'service_accounts',
  {
    id: uuid('id').primaryKey(),
    version: integer('version').notNull().default(1),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    enabled: boolean('enabled').notNull().default(true),
    /** When the access administrators were told that no enabled owner is left. */
    ownerlessAt: timestamptz('ownerless_at'),
    /** The name may be reused. */
    deletedAt: timestamptz('deleted_at'),
    createdAt: timestamptz('created_at').notNull(),
    updatedAt: timestamptz('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('service_accounts_name_live')
      .on(table.name)
      .where(sql`${table.deletedAt} is null`),
    index('service_accounts_name').on(table.name, table.id),
    index('service_accounts_created').on(table.createdAt, table.id),
  ],
);

export const serviceAccountOwners = pgTable(
  'service_account_owners',
  {
    serviceAccountId: uuid('service_account_id')
      .notNull()
      .references(() => serviceAccounts.id, { onDelete: 'cascade' }),
    administratorId: uuid('administrator_id')
      .notNull()
      .references(() => administrators.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.serviceAccountId, table.administratorId] }),
    index('service_account_owners_administrator').on(table.administratorId),
  ],
);

export const serviceTokens = pgTable(
  'service_tokens',
  {
    id: uuid('id').primaryKey(),
    /** `scim`: of no account. Opens the provisioning routes and nothing else. */
    kind: text('kind', { enum: tokenKinds }).notNull().default('svc'),
    serviceAccountId: uuid('service_account_id').references(() => serviceAccounts.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** Hex SHA-256. */
    hash: text('hash').notNull().unique(),
    lastFour: text('last_four').notNull(),
    /** Empty: from everywhere. */
    networks: cidr('networks').array().notNull(),
    createdBy: uuid('created_by').references(() => administrators.id, { onDelete: 'set null' }),
    creatorEmail: text('creator_email').notNull(),
    createdAt: timestamptz('created_at').notNull(),
    expiresAt: timestamptz('expires_at').notNull(),
    lastUsedAt: timestamptz('last_used_at'),
    lastIp: text('last_ip'),
    /** The newest networks (http/network.ts), to report a new one. */
    usedFrom: text('used_from').array().notNull().default([]),
    /** Days before the end of the last mail about it. */
    expiryNotice: integer('expiry_notice'),
    revokedAt: timestamptz('revoked_at'),
    revokedBy: text('revoked_by'),
    revokedReason: text('revoked_reason', { enum: revocationReasons }),
    replacedBy: uuid('replaced_by').references((): AnyPgColumn => serviceTokens.id, { onDelete: 'set null' }),
    /** The last use of a rotated token after its end. */
    lateUseAt: timestamptz('late_use_at'),
  },
  (table) => [
    index('service_tokens_account').on(table.serviceAccountId, table.createdAt),
    index('service_tokens_expires').on(table.expiresAt),
    check('service_tokens_hash', sql`${table.hash} ~ '^[0-9a-f]{64}$'`),
    check('service_tokens_kind', sql`(${table.kind} = 'scim') = (${table.serviceAccountId} is null)`),
    check('service_tokens_revoked', sql`(${table.revokedAt} is null) = (${table.revokedReason} is null)`),
  ],
);

/** Scopes. */
export const serviceTokenNodes = pgTable(
  'service_token_nodes',
  {
    tokenId: uuid('token_id')
      .notNull()
      .references(() => serviceTokens.id, { onDelete: 'cascade' }),
    nodeId: uuid('node_id')
      .notNull()
      .references(() => permissionNodes.id, { onDelete: 'cascade' }),
  },
  (table) => [primaryKey({ columns: [table.tokenId, table.nodeId] }), index('service_token_nodes_node').on(table.nodeId)],
);

/** What the provider says about an account that it manages. */
export const provisioned = pgTable(
  'provisioned',
  {
    administratorId: uuid('administrator_id')
      .primaryKey()
      .references(() => administrators.id, { onDelete: 'cascade' }),
    externalId: text('external_id'),
    userName: text('user_name').notNull(),
    displayName: text('display_name').notNull().default(''),
    formattedName: text('formatted_name').notNull().default(''),
    givenName: text('given_name').notNull().default(''),
    familyName: text('family_name').notNull().default(''),
    active: boolean('active').notNull().default(true),
    /** Normalized. Differs from the account's email until a person accepts it. */
    email: text('email').notNull(),
    /** Null: SCIM made the account. */
    handedOverBy: uuid('handed_over_by').references(() => administrators.id, { onDelete: 'set null' }),
    deactivatedAt: timestamptz('deactivated_at'),
    /** By SCIM. The account stays, so that a leaver is not created again. */
    deletedAt: timestamptz('deleted_at'),
    createdAt: timestamptz('created_at').notNull(),
    updatedAt: timestamptz('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('provisioned_external_id').on(table.externalId),
    uniqueIndex('provisioned_user_name').on(sql`lower(${table.userName})`),
    index('provisioned_created').on(table.createdAt, table.administratorId),
    index('provisioned_deactivated').on(table.deactivatedAt),
  ],
);

/** Users that SCIM may not create, because an account has their email or external ID. */
export const provisioningConflicts = pgTable(
  'provisioning_conflicts',
  {
    id: uuid('id').primaryKey(),
    administratorId: uuid('administrator_id')
      .notNull()
      .references(() => administrators.id, { onDelete: 'cascade' }),
    reason: text('reason', { enum: provisioningConflictReasons }).notNull(),
    externalId: text('external_id'),
    userName: text('user_name').notNull(),
    email: text('email').notNull(),
    createdAt: timestamptz('created_at').notNull(),
    lastAt: timestamptz('last_at').notNull(),
  },
  (table) => [
    uniqueIndex('provisioning_conflicts_administrator').on(table.administratorId),
    index('provisioning_conflicts_last').on(table.lastAt),
  ],
);

export const scimGroups = pgTable(
  'scim_groups',
  {
    id: uuid('id').primaryKey(),
    externalId: text('external_id'),
    displayName: text('display_name').notNull(),
    createdAt: timestamptz('created_at').notNull(),
    updatedAt: timestamptz('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('scim_groups_external_id').on(table.externalId),
    uniqueIndex('scim_groups_display_name').on(sql`lower(${table.displayName})`),
    index('scim_groups_created').on(table.createdAt, table.id),
  ],
);

export const scimGroupMembers = pgTable(
  'scim_group_members',
  {
    groupId: uuid('group_id')
      .notNull()
      .references(() => scimGroups.id, { onDelete: 'cascade' }),
    administratorId: uuid('administrator_id')
      .notNull()
      .references(() => administrators.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.groupId, table.administratorId] }),
    index('scim_group_members_administrator').on(table.administratorId),
  ],
);

/** Members of the provider's group have the role. */
export const groupRoles = pgTable(
  'group_roles',
  {
    id: uuid('id').primaryKey(),
    version: integer('version').notNull().default(1),
    source: text('source', { enum: groupSources }).notNull(),
    /** The claim's text, or the ID of a SCIM group. */
    value: text('value').notNull(),
    roleId: uuid('role_id')
      .notNull()
      .references(() => roles.id, { onDelete: 'cascade' }),
    createdAt: timestamptz('created_at').notNull(),
    updatedAt: timestamptz('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('group_roles_mapping').on(table.source, table.value, table.roleId),
    index('group_roles_role').on(table.roleId),
    index('group_roles_created').on(table.createdAt, table.id),
  ],
);
