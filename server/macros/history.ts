import { and, desc, eq, inArray, lt, sql } from 'drizzle-orm';
import { historyLimit, type HistoryRow } from '../../api/macros/contract.ts';
import { requirePerson } from '../platform/services/context.ts';
import { guardedApi } from '../platform/http/router.ts';
import { asUnmodified, writeOnce } from '../platform/records/write.ts';
import { commandHistory as table } from './tables.ts';

const dayMs = 24 * 60 * 60_000;

export const history = {
  own: guardedApi.history.own.handler(async ({ context }) => {
    const rows = await context.db
      .select()
      .from(table)
      .where(eq(table.administratorId, requirePerson(context).id))
      .orderBy(desc(table.at), desc(table.id))
      .limit(historyLimit.entries);
    return rows.map(({ entry }) => JSON.parse(entry) as HistoryRow);
  }),

  // Not audited: the commands themselves are.
  keep: guardedApi.history.keep.handler(({ input, context }) =>
    writeOnce(context, input, async (tx) => {
      const administratorId = requirePerson(context).id;
      const now = context.services.now();
      const latestEntries = [...new Map(input.entries.map((entry) => [entry.id, entry])).values()];
      const ids = latestEntries.map(({ id }) => id);
      const isOwnEntry = eq(table.administratorId, administratorId);
      const storedEntries = await tx
        .select({ id: table.id, entry: table.entry })
        .from(table)
        .where(and(isOwnEntry, inArray(table.id, ids)))
        .orderBy(table.id)
        .for('update');
      const undoneIds = new Set(storedEntries.flatMap(({ id, entry }) => ((JSON.parse(entry) as HistoryRow).undone ? [id] : [])));
      const values = latestEntries.map((entry) => {
        // A browser's clock may be ahead.
        const entryTime = Math.min(entry.at, now);
        // A device that has not heard of an undo must not offer it again.
        const storedEntry = { ...entry, at: entryTime, ...(undoneIds.has(entry.id) && { undone: true as const }) };
        return { administratorId, id: entry.id, at: new Date(entryTime), entry: JSON.stringify(removeSecrets(storedEntry)) };
      });
      await tx
        .insert(table)
        .values(values)
        .onConflictDoUpdate({
          target: [table.administratorId, table.id],
          set: { at: sql`excluded.at`, entry: sql`excluded.entry` },
        });
      await tx.delete(table).where(lt(table.at, new Date(now - historyLimit.days * dayMs)));
      await tx.execute(sql`
        delete from ${table} where ${isOwnEntry} and id not in (
          select h.id from ${table} h where h.administrator_id = ${administratorId}
          order by h.at desc, h.id desc limit ${historyLimit.entries})`);
      return asUnmodified({});
    }),
  ),
};

const secretName = /password|passphrase|passcode|secret|token|mnemonic|seed|private.?key|signature|^code$|^proof$/i;

/** The browser leaves secrets out already. This holds for a script or an older page too. */
function removeSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(removeSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, nestedValue]) => (secretName.test(name) ? [] : [[name, removeSecrets(nestedValue)]])),
  );
}
