import * as z from 'zod';
import { ConfigError, mailList, partsOf, secret, whole, type About, type ValuesOf } from './values.ts';

export const webhookKinds = ['json', 'slack', 'lark', 'dingtalk', 'wecom'] as const;

/** Where an alarm goes. `secret` signs it: the vendor's, or ours. */
export interface AlarmWebhook {
  readonly kind: (typeof webhookKinds)[number];
  readonly url: string;
  readonly secret: string | null;
}

const webhookList = z.string().transform((value, context): AlarmWebhook[] => {
  const found = partsOf(value).map((part) => {
    const kind = webhookKinds.find((known) => part.startsWith(`${known}=`));
    const address = part.slice((kind?.length ?? 0) + 1);
    if (!kind || !/^https?:\/\//.test(address) || !URL.canParse(address)) return null;
    const url = new URL(address);
    const signedWith = url.hash === '' ? null : decodeURIComponent(url.hash.slice(1));
    url.hash = '';
    return url.username === '' && url.password === '' ? { kind, url: url.href, secret: signedWith } : null;
  });
  if (found.every((one) => one !== null)) return found;
  context.addIssue(`must be like json=https://hooks.example.com/x, with commas between; kinds: ${webhookKinds.join(', ')}`);
  return z.NEVER;
});

export const alarmVariables = {
  /** Who is written to when money needs somebody. */
  ALARM_MAIL: mailList.optional(),
  /** `kind=url` with commas between; what stands behind a `#` is the secret that this one is signed with. */
  ALARM_WEBHOOKS: webhookList.optional(),
  /** Signs what goes to webhooks of kind json that have no secret of their own. */
  ALARM_SECRET: secret.optional(),
  /** What waits for somebody longer than this is an alarm. */
  ALARM_WAIT_MINUTES: whole(1, 100_000).default(60),
};

/** Where alarms go; no channel at all: nowhere. */
export interface AlarmConfig {
  readonly mail: readonly string[];
  readonly webhooks: readonly AlarmWebhook[];
  readonly waitMs: number;
}

/** Throws ConfigError for an alarm that could not go out as it should. */
export function readAlarms(
  values: ValuesOf<typeof alarmVariables> & { SMTP_URL?: string | undefined },
  { production }: About,
): AlarmConfig {
  const mail = values.ALARM_MAIL ?? [];
  if (production && mail.length > 0 && !values.SMTP_URL) throw new ConfigError('ALARM_MAIL: needs SMTP_URL');
  const webhooks = (values.ALARM_WEBHOOKS ?? []).map((webhook) => ({
    ...webhook,
    secret: webhook.secret ?? (webhook.kind === 'json' ? (values.ALARM_SECRET ?? null) : null),
  }));
  for (const { kind, url, secret: signedWith } of webhooks) {
    if (production && !url.startsWith('https://')) throw new ConfigError('ALARM_WEBHOOKS: must be https:// in production');
    if (kind === 'json' && signedWith === null) throw new ConfigError('ALARM_SECRET: is needed with a webhook of kind json');
  }
  return { mail, webhooks, waitMs: values.ALARM_WAIT_MINUTES * 60_000 };
}
