import { and, count, eq, gt, isNull } from 'drizzle-orm';
import type { ServiceRow, TokenFields } from '../../api/access/services.ts';
import type { NewToken } from '../../api/access/tokens.ts';
import type { GracePeriod } from '../../api/access/service-values.ts';
import { allNames } from '../../api/all-names.ts';
import { assertMayGrant, lockAccessChanges } from '../platform/auth/rights/escalation.ts';
import { readMoneyHolders } from '../platform/auth/rights/money-rights.ts';
import { readTree, type PermissionNodeRow } from '../platform/auth/rights/permission-tree.ts';
import { moneyScopesMail } from '../platform/auth/service-accounts/mail-texts.ts';
import { notifyTokenOwners, urlOf } from '../platform/auth/service-accounts/notify-owners.ts';
import { isServiceMoneyRight, isServiceScope } from '../platform/auth/service-accounts/service-rights.ts';
import { hashServiceToken, lastFourOf, newServiceToken } from '../platform/auth/service-accounts/token-format.ts';
import { permissionNodes, serviceTokenNodes, serviceTokens } from '../platform/auth/tables.ts';
import { buildBilingualMail } from '../platform/content/bilingual-mail.ts';
import { queueMail } from '../platform/content/mail.ts';
import { createAppError, createFieldError } from '../platform/core/errors.ts';
import { newId } from '../platform/core/ids.ts';
import { formatTime } from '../platform/core/wording.ts';
import type { Tx } from '../platform/db/db.ts';
import { asUnmodified, writeOnce, type RecordAudit } from '../platform/records/write.ts';
import type { Person, RequestContext } from '../platform/services/context.ts';
import { readServices } from './service-rows.ts';
import { auditedToken, isWorking, parseTokenFields, revokeToken, tokenEntity, type ServiceToken } from './tokens.ts';

const hourMs = 3_600_000;
const graceMs = { none: 0, hour: hourMs, day: 24 * hourMs, week: 168 * hourMs } as const satisfies Record<GracePeriod, number>;
/** Working tokens of one account. */
const maxTokens = 20;

/** Throws GRANT_BEYOND_OWN for scopes that the caller lacks. */
export function addToken(context: RequestContext, input: TokenFields & { id: string }): Promise<NewToken> {
  return writeToken(context, input, async (tx, actor) => {
    const account = await lockAccount(tx, context, input.id);
    const fields = parseTokenFields(context.services, input);
    const nodes = await nodesNamed(tx, input);
    const made = await insertToken(tx, context, actor, account, fields, nodes);
    await notifyTokenOwners(tx, context.services, made.token, 'added', { by: actor.email });
    return { ...made, before: null };
  });
}

/** The new token has the scopes and networks of the old, which ends after the grace period. Throws CONFLICT for one that has ended. */
export function rotateToken(
  context: RequestContext,
  input: { id: string; token: string; grace: GracePeriod },
): Promise<NewToken> {
  return writeToken(context, input, async (tx, actor) => {
    const account = await lockAccount(tx, context, input.id);
    const old = await lockToken(tx, input);
    const { now, config } = context.services;
    if (!isWorking(context.services, old) || old.replacedBy !== null) throw createAppError('CONFLICT', { current: account });
    const lifeMs = Math.min(old.expiresAt.getTime() - old.createdAt.getTime(), config.serviceTokenMs);
    const nodes = await tx
      .select({ id: permissionNodes.id, identifier: permissionNodes.identifier })
      .from(serviceTokenNodes)
      .innerJoin(permissionNodes, eq(permissionNodes.id, serviceTokenNodes.nodeId))
      .where(eq(serviceTokenNodes.tokenId, old.id));
    const { name, networks, usedFrom } = old;
    const expiresAt = new Date(now() + lifeMs);
    // The old token still counts.
    const made = await insertToken(tx, context, actor, account, { name, networks, usedFrom, expiresAt }, nodes, maxTokens + 1);
    const endsAt = new Date(Math.min(old.expiresAt.getTime(), now() + graceMs[input.grace]));
    await tx.update(serviceTokens).set({ expiresAt: endsAt, replacedBy: made.token.id }).where(eq(serviceTokens.id, old.id));
    const ended = { ...old, expiresAt: endsAt };
    await notifyTokenOwners(tx, context.services, ended, 'rotated', { by: actor.email });
    return { ...made, before: ended };
  });
}

export function revokeServiceToken(context: RequestContext, input: { id: string; token: string }): Promise<ServiceRow> {
  return writeOnce(context, input, async (tx, recordAudit) => {
    const { email } = await lockAccessChanges(tx, context);
    await lockAccount(tx, context, input.id);
    const old = await lockToken(tx, input);
    await revokeToken(tx, context, old, { by: email, recordAudit });
    const row = await lockAccount(tx, context, input.id);
    return old.revokedAt === null ? row : asUnmodified(row);
  });
}

interface WrittenToken {
  token: ServiceToken;
  text: string;
  scopes: string[];
  /** The rotated token, as it is now. */
  before: ServiceToken | null;
}

/** The text is returned once and never stored, not even with the Idempotency-Key. */
async function writeToken(
  context: RequestContext,
  payload: unknown,
  make: (tx: Tx, actor: Person) => Promise<WrittenToken>,
): Promise<NewToken> {
  let made: NewToken | null = null;
  const written = await writeOnce(context, payload, async (tx, note) => {
    const actor = await lockAccessChanges(tx, context);
    const { token, text, scopes, before } = await make(tx, actor);
    made = { id: token.id, token: text, expiresAt: token.expiresAt.toISOString() };
    noteToken(note, token, scopes, before);
    return { id: token.id };
  });
  // The answer of an earlier request with this key is gone, and no one has seen its token.
  if (made === null) throw createAppError('CONFLICT', { token: written.id });
  return made;
}

function noteToken(note: RecordAudit, token: ServiceToken, scopes: string[], before: ServiceToken | null): void {
  note({ entity: tokenEntity, id: token.id, after: { ...auditedToken(token), scopes } });
  if (before) note({ entity: tokenEntity, id: before.id, after: auditedToken(before) });
}

async function lockAccount(tx: Tx, context: RequestContext, id: string): Promise<ServiceRow> {
  const [row] = await readServices(tx, context.services, [id]);
  if (!row) throw createAppError('NOT_FOUND');
  return row;
}

async function lockToken(tx: Tx, { id, token }: { id: string; token: string }): Promise<ServiceToken> {
  const [row] = await tx
    .select()
    .from(serviceTokens)
    .where(and(eq(serviceTokens.id, token), eq(serviceTokens.serviceAccountId, id)))
    .for('update');
  if (!row) throw createAppError('NOT_FOUND');
  return row;
}

type ScopeRow = Pick<PermissionNodeRow, 'id' | 'identifier'>;

/** Throws BAD_REQUEST for an unknown or guarded node. */
async function nodesNamed(tx: Tx, { scopes, moneyScopes = [] }: TokenFields): Promise<ScopeRow[]> {
  const tree = await readTree(tx);
  const requested = new Set(scopes);
  const found = tree.filter(({ id, identifier }) => requested.has(id) || requested.has(identifier));
  const known = new Set(found.flatMap(({ id, identifier }) => [id, identifier]));
  // A group grants nothing, and forms tick it with its screens.
  const isGroup = (node: PermissionNodeRow) => node.kind === 'menu' && tree.some(({ parentId }) => parentId === node.id);
  const usable = found.filter((node) => isServiceScope(node.identifier) || !isGroup(node));
  if (scopes.some((scope) => !known.has(scope))) throw createFieldError('scopes');
  if (usable.some(({ identifier }) => !isServiceScope(identifier) || isServiceMoneyRight(identifier)))
    throw createFieldError('scopes', 'guarded');
  const money = tree.filter(({ identifier }) => moneyScopes.some((right) => right === identifier));
  const nodes = [...usable, ...money];
  if (nodes.length === 0) throw createFieldError('scopes', 'required');
  return nodes;
}

/** Only within the caller's own permissions, because the caller gets to see the token. */
async function insertToken(
  tx: Tx,
  context: RequestContext,
  actor: Person,
  account: ServiceRow,
  fields: Pick<ServiceToken, 'name' | 'expiresAt' | 'networks'> & Partial<Pick<ServiceToken, 'usedFrom'>>,
  nodes: readonly ScopeRow[],
  limit = maxTokens,
): Promise<{ token: ServiceToken; text: string; scopes: string[] }> {
  const { now } = context.services;
  const at = new Date(now());
  const scopes = nodes.map(({ identifier }) => identifier);
  await assertMayGrant(tx, actor, scopes);
  const working = and(
    eq(serviceTokens.serviceAccountId, account.id),
    isNull(serviceTokens.revokedAt),
    isNull(serviceTokens.replacedBy),
    gt(serviceTokens.expiresAt, at),
  );
  const [found] = await tx.select({ tokens: count() }).from(serviceTokens).where(working);
  if ((found?.tokens ?? 0) >= limit) throw createFieldError('name', 'tooMany');
  const text = newServiceToken();
  const [token] = await tx
    .insert(serviceTokens)
    .values({
      id: newId(),
      serviceAccountId: account.id,
      ...fields,
      hash: hashServiceToken(text),
      lastFour: lastFourOf(text),
      createdBy: actor.id,
      creatorEmail: actor.email,
      createdAt: at,
    })
    .returning();
  if (!token) throw new Error('the insert returned no row');
  await tx.insert(serviceTokenNodes).values(nodes.map(({ id: nodeId }) => ({ tokenId: token.id, nodeId })));
  await notifyMoneyHolders(tx, context, actor, account, token, scopes.filter(isServiceMoneyRight));
  return { token, text, scopes };
}

async function notifyMoneyHolders(
  tx: Tx,
  context: RequestContext,
  actor: Person,
  account: ServiceRow,
  token: ServiceToken,
  moneyScopes: readonly string[],
): Promise<void> {
  if (moneyScopes.length === 0) return;
  const { config, now } = context.services;
  const at = new Date(now());
  const mail = buildBilingualMail(moneyScopesMail, (language) => ({
    by: actor.email,
    account: account.name,
    token: token.name,
    scopes: moneyScopes.map((right) => allNames[right as keyof typeof allNames][language]).join('\n'),
    time: formatTime(at, language, config.timeZone),
    ip: context.ip,
    url: urlOf(context.services, account.id),
  }));
  for (const { email } of (await readMoneyHolders(tx)).values()) await queueMail(tx, at, { to: email, ...mail });
}
