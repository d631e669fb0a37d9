import { and, desc, eq, inArray, lt, sql } from 'drizzle-orm';
import { historyKept, type HistoryRow } from '../../api/macros/contract.ts';
import { requirePerson } from '../platform/services/context.ts';
import { guardedApi } from '../platform/http/router.ts';
import { unmodified, writeOnce } from '../platform/records/write.ts';
import { commandHistory as table } from './tables.ts';

const dayMs = 24 * 60 * 60_000;

export const history = {
  own: guardedApi.history.own.handler(async ({ context }) => {
    const rows = await context.db
      .select()
      .from(table)
      .where(eq(table.administratorId, requirePerson(context).id))
      .orderBy(desc(table.at), desc(table.id))
      .limit(historyKept.entries);
    return rows.map(({ entry }) => JSON.parse(entry) as HistoryRow);
  }),

  // Not audited: the commands themselves are.
  keep: guardedApi.history.keep.handler(({ input, context }) =>
    writeOnce(context, input, async (tx) => {
      const administratorId = requirePerson(context).id;
      const now = context.services.now();
      const latest = [...new Map(input.entries.map((one) => [one.id, one])).values()];
      const ids = latest.map(({ id }) => id);
      const isOwn = eq(table.administratorId, administratorId);
      const known = await tx
        .select({ id: table.id, entry: table.entry })
        .from(table)
        .where(and(isOwn, inArray(table.id, ids)))
        .orderBy(table.id)
        .for('update');
      const undone = new Set(known.flatMap(({ id, entry }) => ((JSON.parse(entry) as HistoryRow).undone ? [id] : [])));
      const values = latest.map((one) => {
        // A browser's clock may be ahead.
        const at = Math.min(one.at, now);
        // A device that has not heard of an undo must not offer it again.
        const kept = { ...one, at, ...(undone.has(one.id) && { undone: true as const }) };
        return { administratorId, id: one.id, at: new Date(at), entry: JSON.stringify(withoutSecrets(kept)) };
      });
      await tx
        .insert(table)
        .values(values)
        .onConflictDoUpdate({
          target: [table.administratorId, table.id],
          set: { at: sql`excluded.at`, entry: sql`excluded.entry` },
        });
      await tx.delete(table).where(lt(table.at, new Date(now - historyKept.days * dayMs)));
      await tx.execute(sql`
        delete from ${table} where ${isOwn} and id not in (
          select h.id from ${table} h where h.administrator_id = ${administratorId}
          order by h.at desc, h.id desc limit ${historyKept.entries})`);
      return unmodified({});
    }),
  ),
};

const secret = /password|passphrase|passcode|secret|token|mnemonic|seed|private.?key|signature|^code$|^proof$/i;

/** The browser leaves secrets out already. This holds for a script or an older page too. */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => (secret.test(name) ? [] : [[name, withoutSecrets(inner)]])),
  );
}
