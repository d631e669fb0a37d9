import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  customType,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core';

// Indexes are plain ascending: read backwards they serve descending lists too, and `.desc()` would sort NULLS LAST.

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });
const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

// ── Access ─────────────────────────────────────────────────────────────────

export const administrators = pgTable(
  'administrators',
  {
    id: uuid('id').primaryKey(),
    version: integer('version').notNull().default(1),
    /** Normalised (platform/auth/password.ts): the one spelling of the account. Somebody deleted may have had it before. */
    email: text('email').notNull(),
    passwordHash: text('password_hash'),
    description: text('description').notNull().default(''),
    enabled: boolean('enabled').notNull().default(true),
    /** The taproot address that signs in as this administrator: canonical, lower case. */
    walletAddress: text('wallet_address').unique(),
    /** Seed of the authenticator app, sealed with the server's key; null until enrolled. */
    totpSecret: text('totp_secret'),
    /** The last 30-second step a code was taken for: none is taken twice. */
    totpLastStep: bigint('totp_last_step', { mode: 'number' }),
    passwordChangedAt: moment('password_changed_at'),
    /** Until when a password that a colleague chose lets in, to choose one's own; null once it is one's own. */
    passwordExpiresAt: moment('password_expires_at'),
    /** Gone from the lists, kept for the audit; its email may be used again. */
    deletedAt: moment('deleted_at'),
    /** A demo account exists in development and is nobody in production. */
    demo: boolean('demo').notNull().default(false),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
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
  /** Name of a seeded role in server/seed/roles.ts, null for a role people made. */
  seed: text('seed').unique(),
  name: text('name').notNull().unique(),
  description: text('description').notNull().default(''),
  /** Whoever holds it must have a second factor before they may do anything else. */
  needsFactor: boolean('needs_factor').notNull().default(false),
  createdAt: moment('created_at').notNull(),
  updatedAt: moment('updated_at').notNull(),
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
  },
  (table) => [primaryKey({ columns: [table.administratorId, table.roleId] }), index('administrator_roles_role').on(table.roleId)],
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
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
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

/** How often anybody's rights, or the menu, have changed: one row, counted in the transaction of the change. */
export const accessChanges = pgTable(
  'access_changes',
  {
    id: integer('id').primaryKey(),
    value: bigint('value', { mode: 'number' }).notNull(),
  },
  (table) => [check('access_changes_one', sql`${table.id} = 1`)],
);

/** What seeding has once put there ('node:/news', 'role:editor'): people may delete it, and it stays deleted. */
export const seeded = pgTable('seeded', { key: text('key').primaryKey() });

export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    administratorId: uuid('administrator_id')
      .notNull()
      .references(() => administrators.id, { onDelete: 'cascade' }),
    /** SHA-256 in hex of the token and of its cookie half: neither can be made from what stands here. */
    tokenHash: text('token_hash').notNull().unique(),
    halfHash: text('half_hash').notNull(),
    createdAt: moment('created_at').notNull(),
    lastSeenAt: moment('last_seen_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    revokedAt: moment('revoked_at'),
    /** How it began. */
    method: text('method', { enum: ['password', 'wallet'] })
      .notNull()
      .default('password'),
    /** When a second factor was last shown in it: what commands that move money ask for. */
    factorAt: moment('factor_at'),
    /** When the password was: what setting up the first factor asks for. */
    passwordAt: moment('password_at'),
    ip: text('ip').notNull(),
    userAgent: text('user_agent').notNull(),
  },
  (table) => [index('sessions_administrator').on(table.administratorId), index('sessions_expires').on(table.expiresAt)],
);

/** Failed sign-ins per account and per network, shared by every process. */
export const signInThrottles = pgTable(
  'sign_in_throttles',
  {
    key: text('key').primaryKey(),
    failures: integer('failures').notNull(),
    since: moment('since').notNull(),
    lastAt: moment('last_at').notNull(),
    blockedUntil: moment('blocked_until'),
  },
  (table) => [index('sign_in_throttles_last').on(table.lastAt)],
);

/** Six digits by mail. One live code a person and purpose; single use, few attempts. */
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
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    usedAt: moment('used_at'),
  },
  (table) => [index('mail_codes_administrator').on(table.administratorId, table.purpose)],
);

/** One-time links to set a password: an invitation, or a reset by a colleague. */
export const passwordLinks = pgTable(
  'password_links',
  {
    id: uuid('id').primaryKey(),
    administratorId: uuid('administrator_id')
      .notNull()
      .references(() => administrators.id, { onDelete: 'cascade' }),
    tokenHash: text('token_hash').notNull().unique(),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    usedAt: moment('used_at'),
  },
  (table) => [index('password_links_administrator').on(table.administratorId)],
);

/** Browsers an administrator has signed in from: no code by mail is asked there again. */
export const knownBrowsers = pgTable(
  'known_browsers',
  {
    id: uuid('id').primaryKey(),
    administratorId: uuid('administrator_id')
      .notNull()
      .references(() => administrators.id, { onDelete: 'cascade' }),
    tokenHash: text('token_hash').notNull().unique(),
    createdAt: moment('created_at').notNull(),
    lastSeenAt: moment('last_seen_at').notNull(),
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
    usedAt: moment('used_at'),
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
    createdAt: moment('created_at').notNull(),
    lastUsedAt: moment('last_used_at'),
  },
  (table) => [index('passkeys_administrator').on(table.administratorId)],
);

/** One-time questions to a wallet or a passkey, bound to the browser that asked. Burnt by the first answer, right or wrong. */
export const challenges = pgTable(
  'challenges',
  {
    id: uuid('id').primaryKey(),
    purpose: text('purpose').notNull(),
    /** SHA-256 of the pre-session cookie, or the session's id. */
    browser: text('browser').notNull(),
    administratorId: uuid('administrator_id').references(() => administrators.id, { onDelete: 'cascade' }),
    address: text('address'),
    /** The exact message or challenge that must be signed. */
    message: text('message').notNull(),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    usedAt: moment('used_at'),
  },
  (table) => [index('challenges_expires').on(table.expiresAt), index('challenges_browser').on(table.browser)],
);

/** Mail on its way: written in the transaction that wants it, sent by whichever process takes it. */
export const mails = pgTable(
  'mails',
  {
    id: uuid('id').primaryKey(),
    recipient: text('recipient').notNull(),
    subject: text('subject').notNull(),
    body: text('body').notNull(),
    state: text('state', { enum: ['queued', 'sent', 'failed'] })
      .notNull()
      .default('queued'),
    attempts: integer('attempts').notNull().default(0),
    /** Taken until then; another process takes it over after. */
    leasedUntil: moment('leased_until'),
    nextAt: moment('next_at').notNull(),
    createdAt: moment('created_at').notNull(),
    sentAt: moment('sent_at'),
    error: text('error'),
  },
  (table) => [index('mails_next').on(table.state, table.nextAt)],
);

// ── Writes ─────────────────────────────────────────────────────────────────

/** The answer to a write, kept in the write's own transaction. */
export const idempotency = pgTable(
  'idempotency',
  {
    administratorId: uuid('administrator_id').notNull(),
    route: text('route').notNull(),
    key: text('key').notNull(),
    requestHash: text('request_hash').notNull(),
    /** JSON of the answer; null only inside the transaction that is making it. */
    response: text('response'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.administratorId, table.route, table.key] }),
    index('idempotency_created').on(table.createdAt),
    check('idempotency_key_length', sql`length(${table.key}) between 1 and 64`),
  ],
);

/**
 * Append-only: a trigger refuses UPDATE, DELETE and TRUNCATE. Rows are written by `audit_append` alone (its migration)
 * out of audit_inbox; it takes every column but the chain's own out of `payload`. Partitioned by the month of `at`, which
 * `audit_append` makes when the first row of it comes: that `seq` and `id` are there once is its lock's doing.
 */
export const audit = pgTable(
  'audit',
  {
    /** Without gaps: assigned under the chain's lock. */
    seq: bigint('seq', { mode: 'number' }).notNull(),
    id: uuid('id').notNull(),
    at: moment('at').notNull(),
    actorId: uuid('actor_id'),
    actorEmail: text('actor_email').notNull(),
    command: text('command'),
    route: text('route').notNull(),
    permission: text('permission'),
    action: text('action').notNull(),
    entity: text('entity').notNull(),
    entityId: text('entity_id'),
    /** The row before and after, as the exact text that was recorded. */
    before: text('before'),
    after: text('after'),
    result: text('result', { enum: ['done', 'refused'] }).notNull(),
    requestId: text('request_id').notNull(),
    ip: text('ip').notNull(),
    idempotencyKey: text('idempotency_key'),
    /** All of it as the exact text that is hashed. */
    payload: text('payload').notNull(),
    /** SHA-256 in hex: of the row before, and of this one over it (server/platform/audit/chain.ts). */
    prevHash: text('prev_hash').notNull(),
    hash: text('hash').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.seq, table.at] }),
    unique('audit_id').on(table.id, table.at),
    index('audit_at').on(table.at, table.id),
    index('audit_actor').on(table.actorEmail.op('text_pattern_ops'), table.at, table.id),
    index('audit_what').on(sql`coalesce(${table.command}, ${table.route}) text_pattern_ops`, table.at, table.id),
    index('audit_entity').on(table.entity, table.entityId, table.seq),
    check('audit_result', sql`${table.result} in ('done', 'refused')`),
  ],
);

/**
 * Where a transaction puts what the audit is to hold. At its commit a deferred trigger moves it into the chain, so that the
 * chain's lock is held for no round trip: nothing ever stands here for others to see, and audit:verify looks.
 */
export const auditInbox = pgTable('audit_inbox', { id: uuid('id').primaryKey(), payload: text('payload').notNull() });

// ── News ───────────────────────────────────────────────────────────────────

export const news = pgTable(
  'news',
  {
    id: uuid('id').primaryKey(),
    version: integer('version').notNull().default(1),
    title: text('title').notNull(),
    description: text('description').notNull(),
    image: text('image'),
    time: moment('time').notNull(),
    link: text('link').notNull(),
    shown: boolean('shown').notNull().default(false),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
    createdBy: uuid('created_by').references(() => administrators.id, { onDelete: 'set null' }),
    /** Where an imported item came from. Unique, so that importing twice at once makes one row. */
    feedItemId: uuid('feed_item_id').unique(),
    importedLink: text('imported_link').unique(),
  },
  (table) => [
    index('news_time').on(table.time, table.id),
    index('news_created').on(table.createdAt, table.id),
    index('news_shown_time').on(table.shown, table.time, table.id),
    index('news_shown_created').on(table.shown, table.createdAt, table.id),
    index('news_link').on(table.link),
    index('news_title_grams').using('gin', sql`text_grams(${table.title})`),
    check('news_version', sql`${table.version} >= 1`),
    check('news_title_length', sql`length(${table.title}) between 1 and 200`),
    check('news_shown_complete', sql`not ${table.shown} or ${table.image} is not null`),
  ],
);

/** How often what the public sees of a resource has changed: the sum of all shards. Several, so that writers need not queue for one row. */
export const publicChanges = pgTable(
  'public_changes',
  {
    resource: text('resource', { enum: ['news', 'notices'] }).notNull(),
    shard: integer('shard').notNull(),
    value: bigint('value', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.resource, table.shard] })],
);

/** What was last read from the feeds, waiting to be picked. */
export const feedItems = pgTable(
  'feed_items',
  {
    id: uuid('id').primaryKey(),
    feed: text('feed').notNull(),
    /** The feed's own identity of the item. */
    guid: text('guid').notNull(),
    title: text('title').notNull(),
    description: text('description').notNull(),
    link: text('link').notNull(),
    image: text('image'),
    time: moment('time').notNull(),
    fetchedAt: moment('fetched_at').notNull(),
  },
  (table) => [unique('feed_items_guid').on(table.feed, table.guid), index('feed_items_link').on(table.link)],
);

export const pictures = pgTable(
  'pictures',
  {
    id: uuid('id').primaryKey(),
    /** Of the upload as it came, so that the same file is kept once. */
    sha256: text('sha256').notNull().unique(),
    mime: text('mime').notNull(),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    bytes: integer('bytes').notNull(),
    createdBy: uuid('created_by').references(() => administrators.id, { onDelete: 'set null' }),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [check('pictures_size', sql`${table.width} > 0 and ${table.height} > 0 and ${table.bytes} > 0`)],
);

// ── Feedback ───────────────────────────────────────────────────────────────

export const feedback = pgTable(
  'feedback',
  {
    id: uuid('id').primaryKey(),
    version: integer('version').notNull().default(1),
    /** The visitor's mailbox, as they gave it. */
    email: text('email').notNull(),
    content: text('content').notNull(),
    processed: boolean('processed').notNull().default(false),
    processedAt: moment('processed_at'),
    processedBy: uuid('processed_by').references(() => administrators.id, { onDelete: 'set null' }),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    index('feedback_created').on(table.createdAt, table.id),
    index('feedback_processed_created').on(table.processed, table.createdAt, table.id),
    index('feedback_content_grams').using('gin', sql`text_grams(${table.content})`),
    index('feedback_email_grams').using('gin', sql`text_grams(${table.email})`),
    check('feedback_lengths', sql`length(${table.content}) between 1 and 5000 and length(${table.email}) between 3 and 254`),
    check('feedback_processed', sql`${table.processed} = (${table.processedAt} is not null)`),
  ],
);

export const feedbackPictures = pgTable(
  'feedback_pictures',
  {
    feedbackId: uuid('feedback_id')
      .notNull()
      .references(() => feedback.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    pictureId: uuid('picture_id')
      .notNull()
      .references(() => pictures.id),
  },
  (table) => [
    primaryKey({ columns: [table.feedbackId, table.position] }),
    index('feedback_pictures_picture').on(table.pictureId),
    check('feedback_pictures_position', sql`${table.position} between 0 and 2`),
  ],
);

/** What was answered by mail. */
export const feedbackReplies = pgTable(
  'feedback_replies',
  {
    id: uuid('id').primaryKey(),
    feedbackId: uuid('feedback_id')
      .notNull()
      .references(() => feedback.id, { onDelete: 'cascade' }),
    content: text('content').notNull(),
    administratorEmail: text('administrator_email').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [index('feedback_replies_feedback').on(table.feedbackId, table.createdAt)],
);

/** How much has come in from outside, by resource; in shards, so that two that come at once do not wait for each other. */
export const arrivals = pgTable(
  'arrivals',
  {
    resource: text('resource').notNull(),
    shard: integer('shard').notNull(),
    value: bigint('value', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.resource, table.shard] })],
);

// ── Notices ────────────────────────────────────────────────────────────────

export const notices = pgTable(
  'notices',
  {
    id: uuid('id').primaryKey(),
    version: integer('version').notNull().default(1),
    content: text('content').notNull(),
    link: text('link').notNull(),
    /** Where the official website shows it. */
    platform: text('platform', { enum: ['all', 'desktop', 'mobile'] })
      .notNull()
      .default('all'),
    shown: boolean('shown').notNull().default(false),
    /** Shown from then, and until then; null is without an end. */
    startsAt: moment('starts_at'),
    endsAt: moment('ends_at'),
    createdBy: uuid('created_by').references(() => administrators.id, { onDelete: 'set null' }),
    /** As it was when it was made: the account may be gone. */
    creatorEmail: text('creator_email').notNull(),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    index('notices_created').on(table.createdAt, table.id),
    index('notices_updated').on(table.updatedAt, table.id),
    index('notices_shown_created').on(table.shown, table.createdAt, table.id),
    index('notices_starts')
      .on(table.startsAt)
      .where(sql`${table.shown}`),
    index('notices_ends')
      .on(table.endsAt)
      .where(sql`${table.shown}`),
    index('notices_content_grams').using('gin', sql`text_grams(${table.content})`),
    check('notices_content_length', sql`length(${table.content}) between 1 and 1000`),
    check('notices_platform', sql`${table.platform} in ('all', 'desktop', 'mobile')`),
    check('notices_period', sql`${table.startsAt} is null or ${table.endsAt} is null or ${table.startsAt} < ${table.endsAt}`),
  ],
);

// ── Imports ────────────────────────────────────────────────────────────────

/** A CSV on its way into a table: checked when it comes, taken in batch by batch once it is started, undone as a whole. */
export const imports = pgTable(
  'imports',
  {
    id: uuid('id').primaryKey(),
    version: integer('version').notNull().default(1),
    kind: text('kind', { enum: ['points', 'airdrops', 'teams', 'draws'] }).notNull(),
    name: text('name').notNull(),
    /** Of the file as it came, so that the same one is recognised. */
    sha256: text('sha256').notNull(),
    bytes: integer('bytes').notNull(),
    encoding: text('encoding', { enum: ['utf-8', 'gb18030'] }).notNull(),
    delimiter: text('delimiter', { enum: [',', ';', '\t'] }).notNull(),
    /** Whether the first line names the columns. */
    headed: boolean('headed').notNull(),
    /** JSON: names of the columns, which of them each field comes from, and what the check found first. */
    head: text('head').notNull(),
    mapping: text('mapping').notNull(),
    preview: text('preview').notNull(),
    state: text('state', { enum: ['checked', 'running', 'canceled', 'failed', 'done', 'undone'] }).notNull(),
    /** Rows of the file; of them good and bad when it was checked; worked on so far, and taken in. */
    total: integer('total').notNull(),
    good: integer('good').notNull(),
    bad: integer('bad').notNull(),
    worked: integer('worked').notNull().default(0),
    imported: integer('imported').notNull().default(0),
    /** The last line that was worked on: where whoever takes it over goes on. */
    line: integer('line').notNull().default(0),
    /** Taken by this runner until then; another one takes it over after. */
    runner: uuid('runner'),
    leasedUntil: moment('leased_until'),
    /** Tries since the last batch that went in. */
    attempts: integer('attempts').notNull().default(0),
    administratorId: uuid('administrator_id').references(() => administrators.id, { onDelete: 'set null' }),
    administratorEmail: text('administrator_email').notNull(),
    createdAt: moment('created_at').notNull(),
    startedAt: moment('started_at'),
    endedAt: moment('ended_at'),
  },
  (table) => [
    index('imports_kind_created').on(table.kind, table.createdAt, table.id),
    index('imports_file').on(table.kind, table.sha256),
    index('imports_state').on(table.state, table.leasedUntil),
    check(
      'imports_counts',
      sql`${table.imported} >= 0 and ${table.imported} <= ${table.worked} and ${table.worked} <= ${table.total}`,
    ),
  ],
);

/** The file of an import as it came, until it is done. */
export const importFiles = pgTable('import_files', {
  importId: uuid('import_id')
    .primaryKey()
    .references(() => imports.id, { onDelete: 'cascade' }),
  content: bytes('content').notNull(),
});

/** The rows that did not go in, for good. */
export const importRows = pgTable(
  'import_rows',
  {
    importId: uuid('import_id')
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    /** As a spreadsheet counts: the head is 1. */
    line: integer('line').notNull(),
    /** JSON array of the cells as they came, and of what is wrong ([{ path, rule }]). */
    cells: text('cells').notNull(),
    issues: text('issues').notNull(),
  },
  (table) => [primaryKey({ columns: [table.importId, table.line] })],
);

// ── Points ─────────────────────────────────────────────────────────────────

/** The ledger: entries are never changed or taken out (a trigger refuses), only reversed by a new one. */
export const points = pgTable(
  'points',
  {
    id: uuid('id').primaryKey(),
    /** EIP-55 spelling. */
    address: text('address').notNull(),
    /** Whole berries, not zero. */
    berries: bigint('berries', { mode: 'bigint' }).notNull(),
    reason: text('reason').notNull(),
    source: text('source', { enum: ['adjustment', 'import', 'reversal'] }).notNull(),
    /** The entry this one takes back: once. */
    reverses: uuid('reverses')
      .unique()
      .references((): AnyPgColumn => points.id),
    importId: uuid('import_id').references(() => imports.id),
    importLine: integer('import_line'),
    administratorId: uuid('administrator_id').references(() => administrators.id, { onDelete: 'set null' }),
    administratorEmail: text('administrator_email').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    index('points_created').on(table.createdAt, table.id),
    index('points_address').on(table.address, table.createdAt, table.id),
    index('points_source_created').on(table.source, table.createdAt, table.id),
    index('points_size').on(table.berries, table.id),
    index('points_address_start').on(sql`lower(${table.address}) text_pattern_ops`),
    index('points_reason_grams').using('gin', sql`text_grams(${table.reason})`),
    unique('points_import_line').on(table.importId, table.importLine),
    check('points_berries', sql`${table.berries} <> 0`),
    check('points_reversal', sql`(${table.source} = 'reversal') = (${table.reverses} is not null)`),
  ],
);

/** The sum of each address's entries, kept in the transaction of each entry. */
export const pointBalances = pgTable(
  'point_balances',
  {
    address: text('address').primaryKey(),
    berries: bigint('berries', { mode: 'bigint' }).notNull(),
    entries: integer('entries').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    index('point_balances_berries').on(table.berries, table.address),
    index('point_balances_updated').on(table.updatedAt, table.address),
    index('point_balances_address_start').on(sql`lower(${table.address}) text_pattern_ops`),
    check('point_balances_positive', sql`${table.berries} >= 0`),
  ],
);

// ── NFT airdrops ───────────────────────────────────────────────────────────

export const airdrops = pgTable(
  'airdrops',
  {
    id: uuid('id').primaryKey(),
    version: integer('version').notNull().default(1),
    /** EIP-55 spelling. */
    address: text('address').notNull(),
    berries: bigint('berries', { mode: 'bigint' }).notNull(),
    nftNumber: integer('nft_number').notNull(),
    nftLevel: integer('nft_level').notNull(),
    stage: text('stage').notNull(),
    importId: uuid('import_id').references(() => imports.id),
    importLine: integer('import_line'),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    index('airdrops_created').on(table.createdAt, table.id),
    index('airdrops_address').on(table.address, table.createdAt, table.id),
    index('airdrops_address_start').on(sql`lower(${table.address}) text_pattern_ops`),
    index('airdrops_berries').on(table.berries, table.id),
    index('airdrops_stage').on(table.stage, table.createdAt, table.id),
    index('airdrops_level').on(table.nftLevel, table.createdAt, table.id),
    unique('airdrops_import_line').on(table.importId, table.importLine),
    check('airdrops_counts', sql`${table.berries} >= 0 and ${table.nftNumber} >= 0 and ${table.nftLevel} >= 0`),
  ],
);

// ── Custody ────────────────────────────────────────────────────────────────
// Satoshi as bigint; wei as numeric without a fraction, read as text and made a bigint. Never a floating-point number.

const satoshi = (name: string) => bigint(name, { mode: 'bigint' });
const wei = customType<{ data: bigint; driverData: string }>({
  dataType: () => 'numeric(78, 0)',
  toDriver: (value) => value.toString(),
  fromDriver: (value) => BigInt(value),
});

export const deposits = pgTable(
  'deposits',
  {
    id: uuid('id').primaryKey(),
    version: integer('version').notNull().default(1),
    /** EIP-55: who gets the YBTC. */
    userAddress: text('user_address').notNull(),
    amount: satoshi('amount').notNull(),
    /** Canonical Bitcoin address of the custodian the deposit went to. */
    coboAddress: text('cobo_address').notNull(),
    network: text('network', { enum: ['mainnet', 'testnet', 'signet', 'regtest'] }).notNull(),
    /** Bitcoin's own spelling, lower case. */
    txid: text('txid').notNull(),
    vout: integer('vout').notNull(),
    remarks: text('remarks').notNull().default(''),
    type: text('type', { enum: ['cobo', 'multisig'] })
      .notNull()
      .default('cobo'),
    lockTime: moment('lock_time'),
    status: text('status', { enum: ['created', 'confirmed'] })
      .notNull()
      .default('created'),
    mintStatus: text('mint_status', { enum: ['none', 'queued', 'sent', 'done', 'failed'] })
      .notNull()
      .default('none'),
    withdrawStatus: text('withdraw_status', { enum: ['default', 'requested'] })
      .notNull()
      .default('default'),
    createdBy: uuid('created_by').references(() => administrators.id, { onDelete: 'set null' }),
    /** Who last wrote its fields, and when: an approval is of another person, and of these fields. */
    modifiedBy: uuid('modified_by').references(() => administrators.id, { onDelete: 'set null' }),
    modifiedEmail: text('modified_email').notNull(),
    confirmedBy: uuid('confirmed_by').references(() => administrators.id, { onDelete: 'set null' }),
    confirmedAt: moment('confirmed_at'),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    unique('deposits_output').on(table.network, table.txid, table.vout),
    index('deposits_created').on(table.createdAt, table.id),
    index('deposits_status_created').on(table.status, table.createdAt, table.id),
    index('deposits_mint_created').on(table.mintStatus, table.createdAt, table.id),
    index('deposits_user').on(table.userAddress, table.createdAt, table.id),
    index('deposits_cobo').on(table.coboAddress, table.createdAt, table.id),
    index('deposits_amount').on(table.amount, table.id),
    check('deposits_amount_range', sql`${table.amount} > 0 and ${table.amount} <= 2100000000000000`),
    check('deposits_txid', sql`${table.txid} ~ '^[0-9a-f]{64}$'`),
    check('deposits_vout', sql`${table.vout} >= 0`),
    check('deposits_minted_confirmed', sql`${table.mintStatus} = 'none' or ${table.status} = 'confirmed'`),
    check('deposits_two_people', sql`${table.confirmedBy} is null or ${table.status} = 'confirmed'`),
  ],
);

/** What Cobo delivered: each event once, and when its transaction was last said to have changed. */
export const coboEvents = pgTable(
  'cobo_events',
  {
    id: text('id').primaryKey(),
    transaction: text('transaction').notNull(),
    /** Milliseconds, Cobo's. */
    saidAt: bigint('said_at', { mode: 'bigint' }).notNull(),
    receivedAt: moment('received_at').notNull(),
    outcome: text('outcome').notNull(),
  },
  (table) => [index('cobo_events_transaction').on(table.transaction, table.saidAt)],
);

/** Who said yes to which fields of a deposit. Another hash is another deposit: approvals of it no longer count. */
export const depositApprovals = pgTable(
  'deposit_approvals',
  {
    id: uuid('id').primaryKey(),
    depositId: uuid('deposit_id')
      .notNull()
      .references(() => deposits.id, { onDelete: 'cascade' }),
    contentHash: text('content_hash').notNull(),
    administratorId: uuid('administrator_id')
      .notNull()
      .references(() => administrators.id),
    administratorEmail: text('administrator_email').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [unique('deposit_approvals_one').on(table.depositId, table.contentHash, table.administratorId)],
);

/**
 * Everybody who ever wrote a version of a deposit, with the output it named then (triggers see to it; nothing is taken away, also
 * when the deposit is): none of them confirms or approves it, nor another deposit of that output.
 */
export const depositAuthors = pgTable(
  'deposit_authors',
  {
    depositId: uuid('deposit_id').notNull(),
    administratorId: uuid('administrator_id').notNull(),
    network: text('network').notNull(),
    txid: text('txid').notNull(),
    vout: integer('vout').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.depositId, table.administratorId, table.network, table.txid, table.vout] }),
    index('deposit_authors_output').on(table.txid, table.vout, table.network),
  ],
);

/** What confirming asks for, by amount: rows together leave no gap, or nothing in the gap is minted. */
export const mintPolicies = pgTable(
  'mint_policies',
  {
    id: uuid('id').primaryKey(),
    version: integer('version').notNull().default(1),
    /** From this amount on, up to and without the other; null is without an end. */
    from: satoshi('from_amount').notNull(),
    below: satoshi('below_amount'),
    /** People besides who recorded it. */
    approvals: integer('approvals').notNull(),
    /** All of them hold this role; null: any role with the right. */
    roleId: uuid('role_id').references(() => roles.id),
    /** Most that may be confirmed under this rule in any 24 hours. */
    perDay: satoshi('per_day'),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    unique('mint_policies_from').on(table.from),
    check('mint_policies_range', sql`${table.from} >= 0 and (${table.below} is null or ${table.below} > ${table.from})`),
    check('mint_policies_approvals', sql`${table.approvals} between 0 and 5`),
  ],
);

/** One mint a deposit, for ever. Its life is in server/deposits/mints.ts. */
export const mints = pgTable(
  'mints',
  {
    id: uuid('id').primaryKey(),
    depositId: uuid('deposit_id')
      .notNull()
      .unique()
      .references(() => deposits.id),
    /** What the contract knows the deposit by. */
    depositHash: text('deposit_hash').notNull().unique(),
    chainId: integer('chain_id').notNull(),
    recipient: text('recipient').notNull(),
    amount: wei('amount').notNull(),
    state: text('state', { enum: ['queued', 'signed', 'sent', 'mined', 'final', 'failed'] }).notNull(),
    /** Of the transactions below; a retry after a failure has another. */
    nonce: integer('nonce'),
    /** The transaction that is on chain. */
    hash: text('hash'),
    blockNumber: bigint('block_number', { mode: 'bigint' }),
    blockHash: text('block_hash'),
    /** A word of the catalogue (api/deposits/contract.ts) for what went wrong, and what the other side said. */
    problem: text('problem'),
    details: text('details'),
    attempts: integer('attempts').notNull().default(0),
    leasedUntil: moment('leased_until'),
    nextAt: moment('next_at').notNull(),
    sentAt: moment('sent_at'),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    index('mints_next')
      .on(table.nextAt)
      .where(sql`${table.state} in ('queued', 'signed', 'sent', 'mined')`),
    check('mints_amount', sql`${table.amount} > 0 and ${table.amount} <> 'NaN'`),
  ],
);

/** Every transaction ever signed for a mint, stored before it is sent. */
export const mintTransactions = pgTable(
  'mint_transactions',
  {
    hash: text('hash').primaryKey(),
    mintId: uuid('mint_id')
      .notNull()
      .references(() => mints.id),
    nonce: integer('nonce').notNull(),
    raw: text('raw').notNull(),
    maxFeePerGas: wei('max_fee_per_gas').notNull(),
    maxPriorityFeePerGas: wei('max_priority_fee_per_gas').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [index('mint_transactions_mint').on(table.mintId, table.createdAt)],
);

/** The next nonce of the minter's account: one writer at a time, by its row's lock. */
export const signerNonces = pgTable(
  'signer_nonces',
  {
    chainId: integer('chain_id').notNull(),
    address: text('address').notNull(),
    next: integer('next').notNull(),
  },
  (table) => [primaryKey({ columns: [table.chainId, table.address] })],
);

/** A way back to Bitcoin: recorded here, moved by what the bridge's contract says alone. */
export const withdrawals = pgTable(
  'withdrawals',
  {
    id: uuid('id').primaryKey(),
    version: integer('version').notNull().default(1),
    depositId: uuid('deposit_id')
      .notNull()
      .references(() => deposits.id),
    /** EIP-55: whose wallet asks for the refund. */
    address: text('address').notNull(),
    amount: satoshi('amount').notNull(),
    /** Canonical Bitcoin address. */
    receiver: text('receiver').notNull(),
    txid: text('txid').notNull(),
    status: text('status', { enum: ['todo', 'doing', 'withdrawable', 'done', 'canceled'] })
      .notNull()
      .default('todo'),
    /** The bridge's, once it has the request. */
    nonce: integer('nonce').unique(),
    requestHash: text('request_hash'),
    confirmHash: text('confirm_hash'),
    coolsUntil: moment('cools_until'),
    createdBy: uuid('created_by').references(() => administrators.id, { onDelete: 'set null' }),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('withdrawals_deposit_live')
      .on(table.depositId)
      .where(sql`${table.status} <> 'canceled'`),
    index('withdrawals_created').on(table.createdAt, table.id),
    index('withdrawals_status_created').on(table.status, table.createdAt, table.id),
    index('withdrawals_address').on(table.address, table.createdAt, table.id),
    index('withdrawals_address_start').on(sql`lower(${table.address}) text_pattern_ops`),
    index('withdrawals_receiver').on(table.receiver),
    index('withdrawals_amount_id').on(table.amount, table.id),
    check('withdrawals_amount', sql`${table.amount} > 0`),
  ],
);

/** How far a watcher of the chain has read. */
export const chainCursors = pgTable('chain_cursors', {
  name: text('name').primaryKey(),
  block: bigint('block', { mode: 'bigint' }).notNull(),
  blockHash: text('block_hash').notNull(),
});

/** Deposited, minted and supply did not agree: money commands wait until somebody has said why. */
export const moneyFreezes = pgTable(
  'money_freezes',
  {
    id: uuid('id').primaryKey(),
    /** JSON of the figures as they were. */
    figures: text('figures').notNull(),
    at: moment('at').notNull(),
    resolvedAt: moment('resolved_at'),
    resolvedBy: uuid('resolved_by').references(() => administrators.id, { onDelete: 'set null' }),
    reason: text('reason'),
    /** Wei that the supply has too much or (below zero) too little, and minted against deposited, when it was opened. */
    supplyOff: wei('supply_off')
      .notNull()
      .default(sql`0`),
    ledgerOff: wei('ledger_off')
      .notNull()
      .default(sql`0`),
    /** Accepted with its reason, and the difference is there still: just this one opens no other freeze. */
    standing: boolean('standing').notNull().default(false),
  },
  (table) => [
    uniqueIndex('money_freezes_open')
      .on(sql`(true)`)
      .where(sql`${table.resolvedAt} is null`),
  ],
);

/** Whose deposits there are: every address a deposit ever named (a trigger sees to it), and what people call it. */
export const institutions = pgTable(
  'institutions',
  {
    /** The address, EIP-55. */
    id: text('address').primaryKey(),
    version: integer('version').notNull().default(1),
    name: text('name').notNull().default(''),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    index('institutions_created').on(table.createdAt, table.id),
    index('institutions_name').on(table.name, table.id),
    index('institutions_address_start').on(sql`lower(${table.id}) text_pattern_ops`),
  ],
);

// ── CRSMs ──────────────────────────────────────────────────────────────────
// What the chain says, read by server/crsm/indexer.ts alone: all of it can be read anew. Only crsm_calls is of our own making.

const figure = (name: string) =>
  wei(name)
    .notNull()
    .default(sql`0`);

/** What is known of a trove, at one block; null there: not read yet, and shown nowhere. */
const troveFigures = () => ({
  collateral: figure('collateral'),
  debt: figure('debt'),
  interest: figure('interest'),
  /** Principal and interest. */
  totalDebt: figure('total_debt'),
  /** The largest number there is without debt. */
  icr: figure('icr'),
  liquidationPrice: figure('liquidation_price'),
  MCR: figure('mcr'),
  price: figure('price'),
  block: bigint('block', { mode: 'bigint' }),
  readAt: moment('read_at'),
});

export const crsms = pgTable(
  'crsms',
  {
    /** The clone's address, EIP-55, as all addresses here. */
    id: text('address').primaryKey(),
    tokenId: wei('token_id').notNull(),
    troveManager: text('trove_manager').notNull(),
    troveId: wei('trove_id').notNull(),
    owner: text('owner').notNull(),
    createdAt: moment('created_at').notNull(),
    ...troveFigures(),
    TRGCR: figure('trgcr'),
    TARCR: figure('tarcr'),
    MAX_TARCR: figure('max_tarcr'),
    debtGasCompensation: figure('debt_gas_compensation'),
    pendingDebtGasCompensation: figure('pending_debt_gas_compensation'),
    deadline: moment('deadline'),
    deposits: figure('deposits'),
    yieldGains: figure('yield_gains'),
    debtTokenBalance: figure('debt_token_balance'),
    /** JSON as api/crsm/contract.ts shows it. */
    collateralGains: text('collateral_gains').notNull().default('[]'),
    /** (ICR − TRGCR) ÷ TRGCR, 1e18-based; the largest number there is without debt. */
    distance: figure('distance'),
    isTrovesOwner: boolean('is_troves_owner').notNull().default(true),
  },
  (table) => [
    index('crsms_distance').on(table.distance, table.id),
    index('crsms_collateral').on(table.collateral, table.id),
    index('crsms_debt').on(table.totalDebt, table.id),
    index('crsms_icr').on(table.icr, table.id),
    index('crsms_deposits').on(table.deposits, table.id),
    index('crsms_created').on(table.createdAt, table.id),
    index('crsms_owner').on(table.owner),
    index('crsms_trove').on(table.troveId, table.troveManager),
    index('crsms_address_start').on(sql`lower(${table.id}) text_pattern_ops`),
    index('crsms_owner_start').on(sql`lower(${table.owner}) text_pattern_ops`),
  ],
);

export const troves = pgTable(
  'troves',
  {
    /** `<trove manager>-<trove id>` */
    id: text('id').primaryKey(),
    troveManager: text('trove_manager').notNull(),
    troveId: wei('trove_id').notNull(),
    owner: text('owner').notNull(),
    openedAt: moment('opened_at').notNull(),
    ...troveFigures(),
  },
  (table) => [
    index('troves_icr').on(table.icr, table.id),
    index('troves_collateral').on(table.collateral, table.id),
    index('troves_debt').on(table.totalDebt, table.id),
    index('troves_opened').on(table.openedAt, table.id),
    index('troves_owner').on(table.owner),
    index('troves_trove').on(table.troveId),
    index('troves_owner_start').on(sql`lower(${table.owner}) text_pattern_ops`),
  ],
);

/** Every event of the factory, of its clones and of troves changing hands, as far as the chain has been read. */
export const crsmEvents = pgTable(
  'crsm_events',
  {
    /** `<transaction>-<log index>` */
    id: text('id').primaryKey(),
    /** Whose it is: a CRSM's, or a trove's (its id in `troves`). */
    crsm: text('crsm'),
    trove: text('trove'),
    name: text('name').notNull(),
    /** JSON: names and values as text. */
    args: text('args').notNull(),
    hash: text('hash').notNull(),
    logIndex: integer('log_index').notNull(),
    block: bigint('block', { mode: 'bigint' }).notNull(),
    blockHash: text('block_hash').notNull(),
    at: moment('at').notNull(),
  },
  (table) => [
    index('crsm_events_crsm').on(table.crsm, table.block, table.logIndex),
    index('crsm_events_trove').on(table.trove, table.block, table.logIndex),
    index('crsm_events_block').on(table.block),
    index('crsm_events_name').on(table.name, table.crsm, table.block, table.logIndex),
    check('crsm_events_whose', sql`(${table.crsm} is null) <> (${table.trove} is null)`),
  ],
);

/** What a wallet was asked to do: the exact call as it was shown to a person, and what came of it (server/crsm/calls.ts). */
export const crsmCalls = pgTable(
  'crsm_calls',
  {
    id: uuid('id').primaryKey(),
    action: text('action').notNull(),
    /** Null: one that is being made. */
    crsm: text('crsm'),
    state: text('state', { enum: ['prepared', 'sent', 'done', 'failed', 'different', 'lost'] })
      .notNull()
      .default('prepared'),
    chainId: integer('chain_id').notNull(),
    from: text('from_address').notNull(),
    to: text('to_address').notNull(),
    data: text('data').notNull(),
    functionName: text('function_name').notNull(),
    /** JSON: name and value as text, in the function's order. */
    args: text('args').notNull(),
    /** The chain's head when it was written down: its transaction is in a later block. */
    block: bigint('block', { mode: 'bigint' }).notNull(),
    hash: text('hash'),
    sentAt: moment('sent_at'),
    administratorId: uuid('administrator_id').references(() => administrators.id, { onDelete: 'set null' }),
    administratorEmail: text('administrator_email').notNull(),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    index('crsm_calls_crsm').on(table.crsm, table.createdAt),
    index('crsm_calls_open')
      .on(table.createdAt)
      .where(sql`${table.state} in ('prepared', 'sent', 'lost')`),
    // One transaction is the outcome of one call.
    uniqueIndex('crsm_calls_outcome')
      .on(table.hash)
      .where(sql`${table.state} in ('done', 'failed')`),
  ],
);
// ── Statistics ─────────────────────────────────────────────────────────────
// What a visit has none of is '' or 0 in the roll-ups, whose keys take no null: no country, no chain.

/**
 * Visits of the official website's pages, as it tells them. Partitioned by month of `at` in its migration, as Drizzle cannot
 * say; server/statistics/partitions.ts makes the months. An event is known by its id and its time, so that it counts once.
 */
export const visits = pgTable(
  'visits',
  {
    id: uuid('id').notNull(),
    at: moment('at').notNull(),
    page: text('page').notNull(),
    country: text('country'),
    chainId: integer('chain_id'),
    btcDeposited: satoshi('btc_deposited')
      .notNull()
      .default(sql`0`),
    yuMinted: wei('yu_minted')
      .notNull()
      .default(sql`0`),
    /** EIP-55. */
    address: text('address'),
    vaultId: text('vault_id'),
  },
  (table) => [
    primaryKey({ columns: [table.at, table.id] }),
    index('visits_country').on(table.country, table.at, table.id),
    index('visits_page').on(table.page, table.at, table.id),
    index('visits_address_start')
      .on(sql`lower(${table.address}) text_pattern_ops`, table.at)
      .where(sql`${table.address} is not null`),
    index('visits_vault')
      .on(table.vaultId, table.at)
      .where(sql`${table.vaultId} is not null`),
    check('visits_amounts', sql`${table.btcDeposited} >= 0 and ${table.yuMinted} >= 0 and ${table.yuMinted} <> 'NaN'`),
  ],
);

const visitSums = () => ({
  visits: bigint('visits', { mode: 'number' }).notNull(),
  btcDeposited: wei('btc_deposited').notNull(),
  yuMinted: wei('yu_minted').notNull(),
});
const visitKeys = () => ({
  page: text('page').notNull(),
  country: text('country').notNull(),
  chainId: integer('chain_id').notNull(),
});

/** What batches added to which hours, written with them and taken away with being counted below: the roll-up's queue. */
export const visitDeltas = pgTable('visit_deltas', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  hour: moment('hour').notNull(),
  ...visitKeys(),
  ...visitSums(),
});

/** Visits by hour, and by day of UTC: with the deltas they are the visits, to the last one. They outlive them. */
export const visitHours = pgTable('visit_hours', { hour: moment('hour').notNull(), ...visitKeys(), ...visitSums() }, (table) => [
  primaryKey({ columns: [table.hour, table.page, table.country, table.chainId] }),
]);
export const visitDays = pgTable('visit_days', { day: moment('day').notNull(), ...visitKeys(), ...visitSums() }, (table) => [
  primaryKey({ columns: [table.day, table.page, table.country, table.chainId] }),
]);

/** All visits of an hour, whatever page, country and chain: what charts without a filter read in any zone of whole hours. */
export const visitHourSums = pgTable('visit_hour_sums', { hour: moment('hour').primaryKey(), ...visitSums() });

/** An address with one wallet on one chain. */
export const walletConnections = pgTable(
  'wallet_connections',
  {
    id: uuid('id').primaryKey(),
    /** EIP-55. */
    address: text('address').notNull(),
    wallet: text('wallet').notNull(),
    /** 0: none was told. */
    chainId: integer('chain_id').notNull(),
    country: text('country'),
    firstAt: moment('first_at').notNull(),
    lastAt: moment('last_at').notNull(),
    times: integer('times').notNull(),
  },
  (table) => [
    unique('wallet_connections_one').on(table.address, table.wallet, table.chainId),
    index('wallet_connections_last').on(table.lastAt, table.id),
    index('wallet_connections_first').on(table.firstAt, table.id),
    index('wallet_connections_times').on(table.times, table.id),
    index('wallet_connections_country').on(table.country, table.lastAt, table.id),
    index('wallet_connections_address_start').on(sql`lower(${table.address}) text_pattern_ops`),
    check('wallet_connections_times', sql`${table.times} > 0 and ${table.firstAt} <= ${table.lastAt}`),
  ],
);

/** Connections that were counted, for as long as they could come again. */
export const walletEvents = pgTable('wallet_events', { id: uuid('id').primaryKey(), at: moment('at').notNull() }, (table) => [
  index('wallet_events_at').on(table.at),
]);

/** A team as one import told it; the last one told of each captain is current, and the others come back when it is undone. */
export const teams = pgTable(
  'teams',
  {
    id: uuid('id').primaryKey(),
    /** EIP-55. */
    captain: text('captain').notNull(),
    yuMinted: wei('yu_minted').notNull(),
    size: integer('size').notNull(),
    current: boolean('current').notNull(),
    importId: uuid('import_id').references(() => imports.id),
    importLine: integer('import_line'),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('teams_current')
      .on(table.captain)
      .where(sql`${table.current}`),
    index('teams_captain').on(table.captain, table.updatedAt),
    index('teams_yu').on(table.yuMinted, table.id),
    index('teams_size').on(table.size, table.id),
    index('teams_updated').on(table.updatedAt, table.id),
    index('teams_captain_start').on(sql`lower(${table.captain}) text_pattern_ops`),
    unique('teams_import_line').on(table.importId, table.importLine),
    check('teams_counts', sql`${table.size} >= 0 and ${table.yuMinted} >= 0 and ${table.yuMinted} <> 'NaN'`),
  ],
);

/** A draw of the lottery; a captain draws once at a time. */
export const draws = pgTable(
  'draws',
  {
    id: uuid('id').primaryKey(),
    time: moment('time').notNull(),
    /** EIP-55. */
    captain: text('captain').notNull(),
    /** Without the captain. */
    members: integer('members').notNull(),
    captainBerries: bigint('captain_berries', { mode: 'bigint' }).notNull(),
    totalBerries: bigint('total_berries', { mode: 'bigint' }).notNull(),
    importId: uuid('import_id').references(() => imports.id),
    importLine: integer('import_line'),
  },
  (table) => [
    unique('draws_one').on(table.time, table.captain),
    index('draws_time').on(table.time, table.id),
    index('draws_members').on(table.members, table.id),
    index('draws_captain_berries').on(table.captainBerries, table.id),
    index('draws_total_berries').on(table.totalBerries, table.id),
    index('draws_captain_start').on(sql`lower(${table.captain}) text_pattern_ops`),
    unique('draws_import_line').on(table.importId, table.importLine),
    check('draws_counts', sql`${table.members} >= 0 and ${table.captainBerries} >= 0 and ${table.totalBerries} >= 0`),
  ],
);

/** The overview of a day of UTC, taken once it has ended and never changed (a trigger refuses). Null: could not be read. */
export const overviewDays = pgTable('overview_days', {
  day: date('day', { mode: 'string' }).primaryKey(),
  /** Satoshi. */
  bridgeBtc: satoshi('bridge_btc'),
  mintYu: wei('mint_yu'),
  userCount: bigint('user_count', { mode: 'bigint' }),
  vaultBtc: wei('vault_btc'),
  at: moment('at').notNull(),
  block: bigint('block', { mode: 'bigint' }),
});

/**
 * Positions there are and were: a view of its migration over `troves` and their events, which Drizzle reads like a table. A
 * closed one has nothing in it any more.
 */
export const positions = pgTable('positions', {
  id: text('id').primaryKey(),
  troveManager: text('trove_manager').notNull(),
  troveId: wei('trove_id').notNull(),
  owner: text('owner').notNull(),
  openedAt: moment('opened_at').notNull(),
  collateral: wei('collateral').notNull(),
  totalDebt: wei('total_debt').notNull(),
  icr: wei('icr').notNull(),
  liquidationPrice: wei('liquidation_price').notNull(),
  status: text('status', { enum: ['open', 'closed'] }).notNull(),
});

/** A list's filter and sort, kept by one person under a name. */
export const savedViews = pgTable(
  'saved_views',
  {
    id: uuid('id').primaryKey(),
    version: integer('version').notNull().default(1),
    administratorId: uuid('administrator_id')
      .notNull()
      .references(() => administrators.id, { onDelete: 'cascade' }),
    /** The screen's path. */
    place: text('place').notNull(),
    name: text('name').notNull(),
    /** As the screen's address has it, without the question mark. */
    query: text('query').notNull(),
    position: integer('position').notNull(),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [unique('saved_views_name').on(table.administratorId, table.place, table.name)],
);
