import { and, eq, lt, notInArray, sql, type SQL } from 'drizzle-orm';
import type { Services } from '../platform/core/context.ts';
import type { Tx } from '../platform/db/db.ts';
import { newId } from '../platform/core/ids.ts';
import { channelsOf, type AlarmKind } from './message.ts';
import { alarmDeliveries, alarms, alarmSubjects } from './tables.ts';

/** What an alarm is about: the same key raises it once. The line says it in plain facts. */
export interface Subject {
  key: string;
  line: string;
}

/** Lines of one alarm; more are said to be there. */
const mostLines = 20;

/** Raises one alarm over those of the subjects that none was raised over, with its deliveries. Answers its id. */
export async function raise(tx: Tx, services: Services, kind: AlarmKind, subjects: readonly Subject[]): Promise<string | null> {
  if (subjects.length === 0) return null;
  const at = new Date(services.now());
  const id = newId();
  const lines = new Map(subjects.map(({ key, line }) => [key, line]));
  await tx.insert(alarms).values({ id, kind, lines: '[]', at });
  const fresh = await tx
    .insert(alarmSubjects)
    .values([...lines.keys()].map((key) => ({ key, kind, alarmId: id, at })))
    .onConflictDoNothing()
    .returning({ key: alarmSubjects.key });
  if (fresh.length === 0) {
    await tx.delete(alarms).where(eq(alarms.id, id));
    return null;
  }
  const told = fresh.slice(0, mostLines).map(({ key }) => lines.get(key) ?? key);
  const more = fresh.length > mostLines ? [`+ ${fresh.length - mostLines}`] : [];
  await tx
    .update(alarms)
    .set({ lines: JSON.stringify([...told, ...more]) })
    .where(eq(alarms.id, id));
  const channels = channelsOf(services.config);
  if (channels.length > 0)
    await tx
      .insert(alarmDeliveries)
      .values(channels.map(({ name }) => ({ id: newId(), alarmId: id, channel: name, nextAt: at, createdAt: at })));
  services.log.warn({ alarm: id, kind, lines: told }, 'an alarm was raised');
  return id;
}

/** Forgets all but these: the same later is another alarm. */
export async function forgetOthers(tx: Tx, kind: AlarmKind, standing: readonly Subject[]): Promise<void> {
  const keys = standing.map(({ key }) => key);
  await tx
    .delete(alarmSubjects)
    .where(and(eq(alarmSubjects.kind, kind), keys.length > 0 ? notInArray(alarmSubjects.key, keys) : undefined));
}

/** Forgets what is over, and was told before `told`: its key is none of the query's. */
export async function forgetOver(tx: Tx, kind: AlarmKind, standing: SQL, told?: Date): Promise<void> {
  await tx
    .delete(alarmSubjects)
    .where(and(eq(alarmSubjects.kind, kind), told && lt(alarmSubjects.at, told), sql`${alarmSubjects.key} not in (${standing})`));
}
