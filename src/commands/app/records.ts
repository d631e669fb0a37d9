import type { Api } from '../../lib/net/client.ts';
import type { EntityName, Target } from '../../lib/scope.ts';
import * as access from '../access/records.ts';
import * as account from '../account/records.ts';
import * as audit from '../audit/records.ts';
import * as crsm from '../crsm/records.ts';
import * as custody from '../custody/records.ts';
import * as deposits from '../deposits/records.ts';
import * as feedback from '../feedback/records.ts';
import * as imports from '../imports/records.ts';
import * as news from '../news/records.ts';
import * as notices from '../notices/records.ts';
import * as rewards from '../rewards/records.ts';
import * as statistics from '../statistics/records.ts';
import * as withdrawals from '../withdrawals/records.ts';
import type { Loaders } from '../engine/dispatch.ts';
import type { RecordKind } from '../engine/resource.ts';

/** Every kind of record, in the order in which they are looked for and shown: those that read the chain come last. */
export const records: { readonly [E in Exclude<EntityName, 'version'>]: RecordKind<E> } = {
  ...news.records,
  ...feedback.records,
  ...notices.records,
  ...access.records,
  ...rewards.records,
  ...deposits.records,
  ...withdrawals.records,
  ...audit.records,
  ...account.records,
  ...imports.records,
  ...statistics.records,
  ...custody.records,
  ...crsm.records,
};

/** What the audit can bring back, by its own word for the record. */
export const restorable = new Map(
  Object.values(records).flatMap(({ place, restored }) => (restored ? [[restored.as, { ...restored, place }] as const] : [])),
);

/** Recorded states of records of any kind, by `<the audit's word>:<entry>:<state>`. */
async function readVersions(api: Api, ids: readonly string[]): Promise<Target<'version'>[]> {
  const found = await Promise.all(
    [...restorable].map(async ([word, { read }]) => {
      const own = ids.filter((id) => id.startsWith(`${word}:`)).map((id) => id.slice(word.length + 1));
      return own.length > 0 ? read(api, own, {}) : [];
    }),
  );
  return found.flat().map(audit.versionTarget);
}

const loaderOf =
  ({ read, target }: RecordKind<EntityName>) =>
  async (api: Api, ids: readonly string[]) =>
    (await read(api, [...ids])).map(target);

/** How the records an invocation names are read again. */
export const loaders = {
  ...Object.fromEntries(Object.entries(records).map(([entity, kind]) => [entity, loaderOf(kind as RecordKind<EntityName>)])),
  version: readVersions,
} as Loaders;
