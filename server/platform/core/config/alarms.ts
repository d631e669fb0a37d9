import * as z from 'zod';
import { partsOf } from './urls.ts';
import { ConfigError, mailList, secret, whole, type About, type ValuesOf } from './values.ts';

export const webhookKinds = ['json', 'slack', 'lark', 'dingtalk', 'wecom'] as const;

/** Where an alarm goes. `secret` signs it: the vendor's, or ours. */
export interface AlarmWebhook {
  readonly kind: (typeof webhookKinds)[number];
  readonly url: string;
  readonly secret: string | null;
}

const webhookList = z.string().transform((value, context): AlarmWebhook[] => {
  const found = partsOf(value).map(readWebhook);
  const problem = found.find((one) => typeof one === 'string');
  if (problem === undefined) return found.filter((one) => typeof one !== 'string');
  context.addIssue(problem);
  return z.NEVER;
});

const spelling = `must be like json=https://hooks.example.com/x, with commas between; kinds: ${webhookKinds.join(', ')}`;

/** One of them, or what is wrong with it. */
function readWebhook(part: string): AlarmWebhook | string {
  const kind = webhookKinds.find((known) => part.startsWith(`${known}=`));
  const address = part.slice((kind?.length ?? 0) + 1);
  if (!kind || !/^https?:\/\//.test(address) || !URL.canParse(address)) return spelling;
  const url = new URL(address);
  if (url.username !== '' || url.password !== '') return spelling;
  const signedWith = decoded(url.hash.slice(1));
  if (signedWith === null) return 'has a secret with a % in it, which is written %25';
  url.hash = '';
  return { kind, url: url.href, secret: signedWith || null };
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

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
    // Of the others only the public internet is asked, and there nothing but its own port (content/safe-fetch.ts).
    if (production && kind !== 'json' && new URL(url).port !== '')
      throw new ConfigError('ALARM_WEBHOOKS: only json may have a port of its own in production');
    if (kind === 'json' && signedWith === null) throw new ConfigError('ALARM_SECRET: is needed with a webhook of kind json');
  }
  return { mail, webhooks, waitMs: values.ALARM_WAIT_MINUTES * 60_000 };
}
