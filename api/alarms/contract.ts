import * as z from 'zod/mini';
import { route } from '../base.ts';

/** What came of one channel: `handedOver` a mail is on its way to the mail server. `failed` it is tried again. */
const channelResult = z.object({
  /** Kind and host; never the address, which is a secret. */
  channel: z.string(),
  state: z.enum(['sent', 'handedOver', 'failed']),
  error: z.nullable(z.string()),
});

export const alarms = {
  /** Sends a test alarm to every channel. UNAVAILABLE: none is configured. */
  test: route
    .meta({ permission: 'alarms.test', fresh: true, keyed: true })
    .route({ method: 'POST', path: '/alarms/test' })
    .output(z.object({ channels: z.array(channelResult) })),
};
