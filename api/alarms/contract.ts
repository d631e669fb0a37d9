import * as z from 'zod/mini';
import { route } from '../base.ts';

/** handedOver: queued at the mail server. failed: retried. */
const channelResult = z.object({
  /** Kind and host only, because the address is secret. */
  channel: z.string(),
  state: z.enum(['sent', 'handedOver', 'failed']),
  error: z.nullable(z.string()),
});

export const alarms = {
  test: route
    .meta({ permission: 'alarms.test', fresh: true, keyed: true })
    .route({ method: 'POST', path: '/alarms/test' })
    .output(z.object({ channels: z.array(channelResult) })),
};
