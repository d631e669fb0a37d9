import * as z from 'zod';
import { defaultZones, isTimeZone, languages, type Language } from '../wording.ts';
import { splitList } from './urls.ts';
import { ConfigError, isMailAddress, secretText, integerText, type ConfigContext, type ValuesOf } from './values.ts';

export const webhookKinds = ['json', 'slack', 'lark', 'dingtalk', 'wecom'] as const;
type WebhookKind = (typeof webhookKinds)[number];

export interface ChannelStyle {
  /** Null: both languages. */
  readonly language: Language | null;
  /** IANA name. Null: the language's default (wording.ts). */
  readonly zone: string | null;
}

export interface AlarmMail extends ChannelStyle {
  readonly address: string;
}

export interface AlarmWebhook extends ChannelStyle {
  readonly kind: WebhookKind;
  readonly url: string;
  readonly secret: string | null;
  readonly language: Language;
}

const kindLanguages: Readonly<Record<WebhookKind, Language>> = {
  json: 'en',
  slack: 'en',
  lark: 'zh',
  dingtalk: 'zh',
  wecom: 'zh',
};

/** Repeats no part of the entry, which may contain a secret. */
const settingsProblem = `has an entry with an unknown setting. Only a language (${languages.join(' or ')}) and a time zone like ${defaultZones.zh} may follow an address`;

/** Parsed, or the problem. */
function readChannel(part: string): { address: string; style: ChannelStyle } | string {
  const [address = '', ...words] = part.split(/\s+/);
  let style: ChannelStyle = { language: null, zone: null };
  for (const word of words) {
    const language = languages.find((known) => known === word);
    if (language && style.language === null) style = { ...style, language };
    else if (!language && style.zone === null && isTimeZone(word)) style = { ...style, zone: word };
    else return settingsProblem;
  }
  return { address, style };
}

const channels = <C extends object>(read: (address: string, style: ChannelStyle) => C | string) =>
  z.string().transform((value, context): C[] => {
    const found: C[] = [];
    for (const part of splitList(value)) {
      const channel = readChannel(part);
      const one = typeof channel === 'string' ? channel : read(channel.address, channel.style);
      if (typeof one === 'string') {
        context.addIssue(one);
        return z.NEVER;
      }
      found.push(one);
    }
    return found;
  });

const mailList = channels<AlarmMail>((address, style) =>
  isMailAddress(address) ? { address, ...style } : 'must be a comma-separated list of email addresses',
);

const spelling = `must be a comma-separated list like json=https://hooks.example.com/x. Kinds: ${webhookKinds.join(', ')}`;

const webhookList = channels<AlarmWebhook>((text, style) => {
  const kind = webhookKinds.find((known) => text.startsWith(`${known}=`));
  const address = text.slice((kind?.length ?? 0) + 1);
  if (!kind || !/^https?:\/\//.test(address) || !URL.canParse(address)) return spelling;
  const url = new URL(address);
  if (url.username !== '' || url.password !== '') return spelling;
  const signedWith = decoded(url.hash.slice(1));
  if (signedWith === null) return 'has a secret with a % that is not encoded. Write it as %25';
  url.hash = '';
  return { kind, url: url.href, secret: signedWith || null, ...style, language: style.language ?? kindLanguages[kind] };
});

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

export const alarmVariables = {
  /** `address [language] [time zone]`, comma-separated. */
  ALARM_MAIL: mailList.optional(),
  /** `kind=url [language] [time zone]`, comma-separated. The fragment is the signing secret. */
  ALARM_WEBHOOKS: webhookList.optional(),
  /** Default for webhooks of kind json. */
  ALARM_SECRET: secretText.optional(),
  ALARM_WAIT_MINUTES: integerText(1, 100_000).default(60),
};

export interface AlarmConfig {
  readonly mail: readonly AlarmMail[];
  readonly webhooks: readonly AlarmWebhook[];
  readonly waitMs: number;
}

export function readAlarms(
  values: ValuesOf<typeof alarmVariables> & { SMTP_URL?: string | undefined; TIME_ZONE?: string | undefined },
  { production }: ConfigContext,
): AlarmConfig {
  const zoned = <C extends ChannelStyle>(channel: C): C => ({ ...channel, zone: channel.zone ?? values.TIME_ZONE ?? null });
  const mail = (values.ALARM_MAIL ?? []).map(zoned);
  if (production && mail.length > 0 && !values.SMTP_URL) throw new ConfigError('SMTP_URL is required when ALARM_MAIL is set');
  const twice = duplicateOf(mail.map(({ address }) => address));
  if (twice !== undefined) throw new ConfigError(`ALARM_MAIL lists ${twice} twice`);
  const webhooks = (values.ALARM_WEBHOOKS ?? []).map((webhook) => ({
    ...zoned(webhook),
    secret: webhook.secret ?? (webhook.kind === 'json' ? (values.ALARM_SECRET ?? null) : null),
  }));
  if (duplicateOf(webhooks.map(({ kind, url }) => `${kind} ${url}`)) !== undefined)
    throw new ConfigError('ALARM_WEBHOOKS lists an address twice');
  for (const { kind, url, secret: signedWith } of webhooks) {
    if (production && !url.startsWith('https://'))
      throw new ConfigError('ALARM_WEBHOOKS must contain only https:// URLs in production');
    // See content/safe-fetch.ts.
    if (production && kind !== 'json' && new URL(url).port !== '')
      throw new ConfigError('ALARM_WEBHOOKS: only a json webhook may have a port in production');
    if (kind === 'json' && signedWith === null)
      throw new ConfigError('ALARM_SECRET is required for json webhooks without a secret of their own');
  }
  return { mail, webhooks, waitMs: values.ALARM_WAIT_MINUTES * 60_000 };
}

const duplicateOf = (all: readonly string[]): string | undefined => all.find((one, at) => all.indexOf(one) !== at);
