import * as z from 'zod/mini';
import { idSchema, timeSchema } from '../../api/base.ts';
import { evmAddressSchema } from '../../api/evm.ts';
import { maxSatoshi } from '../../api/money.ts';
import { eventLimit } from '../../api/statistics/contract.ts';
import type { RequestContext } from '../platform/services/context.ts';
import { countryLookupOf } from '../platform/content/countries.ts';
import { getDatabaseErrorCode } from '../platform/core/error-code.ts';
import { createAppError } from '../platform/core/errors.ts';
import { getNetwork } from '../platform/http/network.ts';
import type { RawRoute } from '../platform/http/raw-routes.ts';
import { readJson } from '../platform/http/request-body.ts';
import { computeKeyedHash } from '../platform/core/encryption.ts';
import { consumeFromWindow } from '../platform/http/rate-limit.ts';
import { withRetryAfter, withUnavailable } from './availability.ts';
import { eventRowId, uniqueById, insertConnections, insertVisits } from './ingest.ts';

const tenMinutesMs = 600_000;
const timeoutMs = 10_000;

/** One line without control or bidirectional characters. */
const line = (max: number) =>
  z
    .string({ error: 'required' })
    .check(
      z.minLength(1, { error: 'required' }),
      z.maxLength(max, { error: 'tooLong' }),
      z.regex(/^[^\p{Cc}\p{Cf}\p{Cs}]+$/u, { error: 'invalid' }),
    );
const wholeUnits = (max: bigint) =>
  z._default(
    z.string().check(
      z.regex(/^(0|[1-9]\d{0,38})$/, { error: 'units' }),
      z.refine((value) => !/^\d{1,39}$/.test(value) || BigInt(value) <= max, { error: 'range' }),
    ),
    '0',
  );
const chainId = z.optional(z.nullable(z.int().check(z.gte(1), z.lte(2_147_483_647))));

/** Without query and fragment, which may hold personal data. */
const page = z.pipe(
  line(2_000).check(z.regex(/^\//, { error: 'invalid' })),
  z.transform((value) => value.replace(/[?#].*$/, '').slice(0, 200)),
);

const visitSchema = z.strictObject({
  /** From the website, one per event. Repetitions with the same id and time do not count. */
  id: idSchema(),
  at: timeSchema(),
  page,
  chainId,
  btcDeposited: wholeUnits(maxSatoshi),
  yuMinted: wholeUnits(10n ** 36n),
  address: z.optional(z.nullable(evmAddressSchema())),
  vaultId: z.optional(z.nullable(line(100))),
});
const connectionSchema = z.strictObject({
  id: idSchema(),
  at: timeSchema(),
  address: evmAddressSchema(),
  wallet: line(50),
  chainId,
});

const batchSchema = <E extends z.ZodMiniType>(event: E) =>
  z.strictObject({ events: z.array(event).check(z.minLength(1), z.maxLength(eventLimit.batch)) });

/** Up to 500 page visits: { events: [{ id, at, page, chainId?, btcDeposited?, yuMinted?, address?, vaultId? }] }. */
export const publicVisits = createIngestRoute('/public/visits', batchSchema(visitSchema), ({ services }, country, events) =>
  withUnavailable({ services }, () =>
    insertVisits(
      services.database.statistics,
      uniqueById(events.map((event) => ({ ...event, id: eventRowId(new Date(event.at), event.id) }))).map((event) => ({
        id: event.id,
        at: new Date(event.at),
        page: event.page,
        country,
        chainId: event.chainId ?? null,
        btcDeposited: BigInt(event.btcDeposited),
        yuMinted: BigInt(event.yuMinted),
        address: event.address ?? null,
        vaultId: event.vaultId ?? null,
      })),
    ),
  ),
);

/** Up to 500 wallet connections: { events: [{ id, at, address, wallet, chainId? }] }. */
export const publicWalletConnections = createIngestRoute(
  '/public/wallet-connections',
  batchSchema(connectionSchema),
  ({ db }, country, events) =>
    insertConnections(
      db,
      uniqueById(events).map((event) => ({ ...event, at: new Date(event.at), chainId: event.chainId ?? 0, country })),
    ),
);

/**
 * Keeps only the sender's country. Returns counts of new and repeated events, and positions of those too old or in the future.
 */
function createIngestRoute<E extends { at: string }>(
  path: string,
  schema: z.ZodMiniType<{ events: E[] }>,
  insert: (context: RequestContext, country: string | null, events: E[]) => Promise<number>,
): RawRoute {
  return {
    method: 'POST',
    path,
    meta: { public: true },
    crossOrigin: true,
    anonymous: true,
    async handle({ request, context }) {
      const { services, ip } = context;
      const { config, now } = services;
      const network = computeKeyedHash(config, 'statistics network', getNetwork(ip));
      await consumeFromWindow(services, `statistics ${path} ${network}`, config.eventsPerNetwork, tenMinutesMs);
      const parsed = schema.safeParse(await readJson(request, eventLimit.bytes, timeoutMs));
      if (!parsed.success) throw createAppError('BAD_REQUEST', { issues: parsed.error.issues.slice(0, 10) });
      const { events } = parsed.data;
      const [oldestTime, newestTime] = [now() - eventLimit.oldestMs, now() + eventLimit.aheadMs];
      const isTimely = ({ at }: E) => Date.parse(at) >= oldestTime && Date.parse(at) <= newestTime;
      const timelyEvents = events.filter(isTimely);
      const insertedCount = await withRetryAfter(() =>
        retryOnce(() => insert(context, countryLookupOf(services)(ip), timelyEvents)),
      );
      const refusedIndexes = events.flatMap((event, index) => (isTimely(event) ? [] : [index]));
      return Response.json(
        { taken: insertedCount, repeated: timelyEvents.length - insertedCount, refused: refusedIndexes },
        { status: 202, headers: { 'cache-control': 'no-store' } },
      );
    },
  };
}

/** Retries once after a deadlock. */
async function retryOnce<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (getDatabaseErrorCode(error) !== '40P01') throw error;
    return run();
  }
}
