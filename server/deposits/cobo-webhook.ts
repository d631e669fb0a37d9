import { createHash, createPublicKey, verify } from 'node:crypto';
import { and, desc, eq, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { parseBtc } from '../../api/money.ts';
import { blockOutput } from './block-output.ts';
import { depositState, type Deposit } from './rows.ts';
import { recordSystemAudit } from '../platform/audit/system-audit.ts';
import { parseBitcoinAddress } from '../../chain/bitcoin-address.ts';
import type { Config } from '../platform/core/config.ts';
import type { Services } from '../platform/services/context.ts';
import type { Tx } from '../platform/db/db.ts';
import { createAppError } from '../platform/core/errors.ts';
import { newId } from '../platform/core/ids.ts';
import type { RawRoute } from '../platform/http/raw-routes.ts';
import { readBody, decodeUtf8 } from '../platform/http/request-body.ts';
import { coboEvents, deposits } from './tables.ts';

// Cobo reports arrivals at its addresses. A delivery records a deposit, or updates one that only Cobo has written; people confirm
// it. Deliveries repeat and come in any order, so the newest per transaction counts.

const timeoutMs = 10_000;
const maxBytes = 256 * 1024;
export const coboName = 'Cobo';

/** `POST /public/cobo/webhook`, where COBO_WEBHOOK_KEY is set. */
export function coboRoutes({ coboWebhookKey }: Config): RawRoute[] {
  if (coboWebhookKey === null) return [];
  return [
    {
      method: 'POST',
      path: '/public/cobo/webhook',
      meta: { public: true },
      async handle({ request, context: { services } }) {
        const rawBody = await readBody(request, maxBytes, timeoutMs);
        const header = (name: string) => request.headers.get(name) ?? request.headers.get(name.replaceAll('_', '-')) ?? '';
        if (!hasValidSignature(coboWebhookKey, rawBody, header('biz_timestamp'), header('biz_resp_signature')))
          throw createAppError('UNAUTHORIZED');
        const parsedDelivery = deliverySchema.safeParse(parseJson(decodeUtf8(rawBody)));
        if (!parsedDelivery.success) throw createAppError('BAD_REQUEST', { issues: parsedDelivery.error.issues });
        const outcome = await services.database.db.transaction((tx) => handleDelivery(tx, services, parsedDelivery.data));
        services.log.info({ event: parsedDelivery.data.event_id, outcome }, 'cobo webhook received');
        return Response.json({ received: true }, { headers: { 'cache-control': 'no-store' } });
      },
    },
  ];
}

/** Ed25519 over the double SHA-256 of `<raw body>|<timestamp>`; `key` is the 32-byte public key in hex. */
export function hasValidSignature(key: string, rawBody: Uint8Array, timestamp: string, signature: string): boolean {
  if (!/^\d{1,16}$/.test(timestamp) || !/^[0-9a-f]{128}$/i.test(signature)) return false;
  const firstHash = createHash('sha256').update(rawBody).update(`|${timestamp}`).digest();
  const digest = createHash('sha256').update(firstHash).digest();
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(key, 'hex')]);
  return verify(null, digest, createPublicKey({ key: spki, format: 'der', type: 'spki' }), Buffer.from(signature, 'hex'));
}

const shortText = () => z.string().check(z.minLength(1), z.maxLength(200));

const deliverySchema = z.object({
  event_id: shortText(),
  type: shortText(),
  data: z.object({
    transaction_id: shortText(),
    type: z.string(),
    status: z.string().check(z.maxLength(50)),
    sub_status: z.optional(z.nullable(z.string().check(z.maxLength(100)))),
    chain_id: z.optional(z.string()),
    transaction_hash: z.optional(z.nullable(z.string())),
    updated_timestamp: z.optional(z.number()),
    destination: z.optional(
      z.nullable(
        z.object({
          address: z.optional(z.nullable(z.string())),
          amount: z.optional(z.nullable(z.string())),
          tx_info: z.optional(z.nullable(z.object({ vout_n: z.optional(z.nullable(z.int().check(z.gte(0)))) }))),
        }),
      ),
    ),
  }),
});
type CoboDelivery = z.infer<typeof deliverySchema>;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw createAppError('BAD_REQUEST', { issues: [] });
  }
}

interface DepositFieldsOfCobo {
  coboAddress: string;
  amount: bigint;
  txid: string;
  vout: number;
}

const rejectedStatuses = ['Rejected', 'Failed'];

/** Null: not a bitcoin deposit on this network. */
function extractTxid({ data }: CoboDelivery, { bitcoinNetwork }: Config): string | null {
  const isBitcoinDeposit = data.type === 'Deposit' && data.chain_id === (bitcoinNetwork === 'mainnet' ? 'BTC' : 'XTN');
  const txid = (data.transaction_hash ?? '').toLowerCase().replace(/^0x/, '');
  return isBitcoinDeposit && /^[0-9a-f]{64}$/.test(txid) ? txid : null;
}

/** Null: not a bitcoin deposit, or incomplete. */
function extractClaim(delivery: CoboDelivery, config: Config): DepositFieldsOfCobo | null {
  const { data } = delivery;
  const txid = extractTxid(delivery, config);
  const coboAddress = parseBitcoinAddress(data.destination?.address ?? '', config.bitcoinNetwork);
  const amount = parseBtc(data.destination?.amount ?? '');
  const vout = data.destination?.tx_info?.vout_n;
  if (txid === null || coboAddress === null || !amount || vout === undefined || vout === null) return null;
  return { coboAddress, amount, txid, vout };
}

/** The rejected output, or without one the whole transaction. */
function extractRejection(delivery: CoboDelivery, config: Config) {
  const { data } = delivery;
  const txid = extractTxid(delivery, config);
  if (txid === null || !rejectedStatuses.includes(data.status)) return null;
  return {
    network: config.bitcoinNetwork,
    txid,
    vout: data.destination?.tx_info?.vout_n ?? null,
    transaction: data.transaction_id,
    reason: [data.status, data.sub_status ?? []].flat().map(sanitize).join(': '),
  };
}

/** Removes markup and characters that hide or reverse text. */
const sanitize = (text: string) => text.replaceAll(/[^\p{L}\p{N} .,:_()-]/gu, '?');

/**
 * late: a newer delivery of the transaction came first. other: not a bitcoin deposit, or incomplete. unknownAddress: minted
 * deposits to the address show no owner, or different ones. kept: people have edited the deposit.
 */
export type CoboOutcome = 'repeated' | 'late' | 'other' | 'blocked' | 'unknownAddress' | 'recorded' | 'updated' | 'kept';

async function handleDelivery(tx: Tx, services: Services, delivery: CoboDelivery): Promise<CoboOutcome> {
  const { transaction_id: transaction, updated_timestamp: saidAt = 0 } = delivery.data;
  // Serializes deliveries of one transaction.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`cobo ${transaction}`}, 0))`);
  const [newestEvent] = await tx
    .select({ saidAt: coboEvents.saidAt })
    .from(coboEvents)
    .where(eq(coboEvents.transaction, transaction))
    .orderBy(desc(coboEvents.saidAt))
    .limit(1);
  const [insertedEvent] = await tx
    .insert(coboEvents)
    .values({
      id: delivery.event_id,
      transaction,
      saidAt: BigInt(Math.trunc(saidAt)),
      receivedAt: new Date(services.now()),
      outcome: 'other',
    })
    .onConflictDoNothing()
    .returning();
  if (!insertedEvent) return 'repeated';
  const outcome = newestEvent && newestEvent.saidAt > insertedEvent.saidAt ? 'late' : await applyDelivery(tx, services, delivery);
  await tx.update(coboEvents).set({ outcome }).where(eq(coboEvents.id, delivery.event_id));
  return outcome;
}

async function applyDelivery(tx: Tx, services: Services, delivery: CoboDelivery): Promise<CoboOutcome> {
  const network = services.config.bitcoinNetwork;
  const rejection = extractRejection(delivery, services.config);
  if (rejection) return (await blockOutput(tx, services, rejection)) ? 'blocked' : 'kept';
  const claim = extractClaim(delivery, services.config);
  if (!claim) return 'other';
  const remarks = `Cobo ${delivery.data.transaction_id}`;
  const [knownDeposit] = await tx
    .select()
    .from(deposits)
    .where(and(eq(deposits.network, network), eq(deposits.txid, claim.txid), eq(deposits.vout, claim.vout)))
    .for('update');
  const now = new Date(services.now());
  if (knownDeposit) {
    const isUnchangedDraft =
      knownDeposit.status === 'created' && knownDeposit.modifiedBy === null && knownDeposit.modifiedEmail === coboName;
    if (!isUnchangedDraft || hasSameClaim(knownDeposit, { ...claim, remarks })) return 'kept';
    const hasOtherAddress = knownDeposit.coboAddress !== claim.coboAddress;
    if (hasOtherAddress && (await findOwner(tx, claim.coboAddress, network)) !== knownDeposit.userAddress)
      return 'unknownAddress';
    const [updatedDeposit] = await tx
      .update(deposits)
      // The signatures were for the fields before this change.
      .set({ ...claim, remarks, statement: null, version: knownDeposit.version + 1, updatedAt: now })
      .where(eq(deposits.id, knownDeposit.id))
      .returning();
    if (updatedDeposit)
      await recordSystemAudit(tx, services, {
        entity: 'deposit',
        id: updatedDeposit.id,
        action: 'updatedByCobo',
        before: depositState(knownDeposit),
        after: depositState(updatedDeposit),
      });
    return 'updated';
  }
  const userAddress = await findOwner(tx, claim.coboAddress, network);
  if (userAddress === null) return 'unknownAddress';
  const [row] = await tx
    .insert(deposits)
    .values({
      ...claim,
      userAddress,
      network,
      remarks,
      id: newId(),
      type: 'cobo',
      modifiedEmail: coboName,
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoNothing()
    .returning();
  if (!row) return 'kept'; // a person edited it in the same moment
  await recordSystemAudit(tx, services, { entity: 'deposit', id: row.id, action: 'recordedByCobo', after: depositState(row) });
  return 'recorded';
}

/**
 * Owner of an address by its minted deposits. Unminted ones prove nothing, because anyone can record them. Null: no owner, or
 * several.
 */
async function findOwner(tx: Tx, coboAddress: string, network: Deposit['network']): Promise<string | null> {
  const owners = await tx
    .selectDistinct({ userAddress: deposits.userAddress })
    .from(deposits)
    .where(and(eq(deposits.network, network), eq(deposits.coboAddress, coboAddress), eq(deposits.mintStatus, 'done')))
    .limit(2);
  const [owner] = owners;
  return owner && owners.length === 1 ? owner.userAddress : null;
}

const hasSameClaim = (row: Deposit, newClaim: DepositFieldsOfCobo & { remarks: string }): boolean =>
  row.coboAddress === newClaim.coboAddress && row.amount === newClaim.amount && row.remarks === newClaim.remarks;
