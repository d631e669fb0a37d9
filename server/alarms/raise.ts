import { and, eq, lt, notInArray, sql, type SQL } from 'drizzle-orm';
import type { Services } from '../platform/services/context.ts';
import type { Tx } from '../platform/db/db.ts';
import { newId } from '../platform/core/ids.ts';
import type { AlarmKind } from './alarm-texts.ts';
import type { AlarmSubject } from './facts.ts';
import { channelsOf } from './message.ts';
import { alarmDeliveries, alarms, alarmSubjects } from './tables.ts';

/** Subjects per alarm in the log. */
const maxLogged = 20;

/** Raises one alarm for all new subjects. Returns its id. */
export async function raiseAlarm<K extends AlarmKind>(
  tx: Tx,
  services: Services,
  kind: K,
  subjects: readonly AlarmSubject<K>[],
): Promise<string | null> {
  if (subjects.length === 0) return null;
  const raisedAt = new Date(services.now());
  const id = newId();
  const factsByKey = new Map(subjects.map(({ key, facts }) => [key, facts]));
  await tx.insert(alarms).values({ id, kind, subjects: '[]', at: raisedAt });
  const insertedSubjects = await tx
    .insert(alarmSubjects)
    .values([...factsByKey.keys()].map((key) => ({ key, kind, alarmId: id, at: raisedAt })))
    .onConflictDoNothing()
    .returning({ key: alarmSubjects.key });
  if (insertedSubjects.length === 0) {
    await tx.delete(alarms).where(eq(alarms.id, id));
    return null;
  }
  const facts = insertedSubjects.flatMap(({ key }) => factsByKey.get(key) ?? []);
  await tx
    .update(alarms)
    .set({ subjects: JSON.stringify(facts) })
    .where(eq(alarms.id, id));
  const channels = channelsOf(services.config);
  if (channels.length > 0)
    await tx
      .insert(alarmDeliveries)
      .values(channels.map(({ name }) => ({ id: newId(), alarmId: id, channel: name, nextAt: raisedAt, createdAt: raisedAt })));
  services.log.warn({ alarm: id, kind, count: facts.length, subjects: facts.slice(0, maxLogged) }, 'alarm raised');
  return id;
}

/** Forgets ended subjects: if they return, they raise another alarm. */
export async function clearAllExcept(tx: Tx, kind: AlarmKind, active: readonly { key: string }[]): Promise<void> {
  const keys = active.map(({ key }) => key);
  await tx
    .delete(alarmSubjects)
    .where(and(eq(alarmSubjects.kind, kind), keys.length > 0 ? notInArray(alarmSubjects.key, keys) : undefined));
}

/** Forgets subjects that are missing from the query, with `notifiedBefore` only those reported earlier. */
export async function clearResolved(tx: Tx, kind: AlarmKind, active: SQL, notifiedBefore?: Date): Promise<void> {
  await tx
    .delete(alarmSubjects)
    .where(
      and(
        eq(alarmSubjects.kind, kind),
        notifiedBefore && lt(alarmSubjects.at, notifiedBefore),
        sql`${alarmSubjects.key} not in (${active})`,
      ),
    );
}
