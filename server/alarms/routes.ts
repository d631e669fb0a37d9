import { asc, eq } from 'drizzle-orm';
import { requireActor } from '../platform/services/context.ts';
import { createAppError } from '../platform/core/errors.ts';
import { newId } from '../platform/core/ids.ts';
import { consumeFromWindow } from '../platform/http/rate-limit.ts';
import { guardedApi } from '../platform/http/router.ts';
import { writeOnce } from '../platform/records/write.ts';
import { deliverLeased, leaseDeliveries, type AlarmDelivery } from './deliver.ts';
import { toPlainText } from './facts.ts';
import { channelsOf } from './message.ts';
import { raiseAlarm } from './raise.ts';
import { alarmDeliveries } from './tables.ts';

/** Per hour for everyone together, because each goes to every channel. */
const maxTests = 10;
const testWindowMs = 3_600_000;

export const alarms = {
  test: guardedApi.alarms.test.handler(async ({ context }) => {
    const { services } = context;
    if (channelsOf(services.config).length === 0) throw createAppError('UNAVAILABLE');
    await consumeFromWindow(services, 'test alarms', maxTests, testWindowMs);
    let previousTests: AlarmDelivery[] = [];
    const { id } = await writeOnce(context, {}, async (tx, recordAudit) => {
      const alarm = await raiseAlarm(tx, services, 'test', [
        { key: `test:${newId()}`, facts: { by: toPlainText(requireActor(context).email) } },
      ]);
      if (alarm === null) throw new Error('a test alarm was not new');
      recordAudit({ entity: 'alarm', id: alarm });
      previousTests = await leaseDeliveries(services, { tx, alarmId: alarm });
      return { id: alarm };
    });
    await deliverLeased(services, previousTests);
    const rows = await context.db
      .select()
      .from(alarmDeliveries)
      .where(eq(alarmDeliveries.alarmId, id))
      .orderBy(asc(alarmDeliveries.channel));
    return {
      channels: rows.map(({ channel, state, error }) => ({
        channel,
        state: state !== 'sent' ? ('failed' as const) : channel.startsWith('mail ') ? ('handedOver' as const) : ('sent' as const),
        error,
      })),
    };
  }),
};
