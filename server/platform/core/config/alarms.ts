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
function readChannel(channelText: string): { address: string; style: ChannelStyle } | string {
  const [address = '', ...styleWords] = channelText.split(/\s+/);
  let style: ChannelStyle = { language: null, zone: null };
  for (const styleWord of styleWords) {
    const language = languages.find((candidate) => candidate === styleWord);
    if (language && style.language === null) style = { ...style, language };
    else if (!language && style.zone === null && isTimeZone(styleWord)) style = { ...style, zone: styleWord };
    else return settingsProblem;
  }
  return { address, style };
}

const channelList = <C extends object>(read: (address: string, style: ChannelStyle) => C | string) =>
  z.string().transform((value, context): C[] => {
    const foundChannels: C[] = [];
    for (const channelText of splitList(value)) {
      const channel = readChannel(channelText);
      const parsedChannel = typeof channel === 'string' ? channel : read(channel.address, channel.style);
      if (typeof parsedChannel === 'string') {
        context.addIssue(parsedChannel);
        return z.NEVER;
      }
      foundChannels.push(parsedChannel);
    }
    return foundChannels;
  });

const mailList = channelList<AlarmMail>((address, style) =>
  isMailAddress(address) ? { address, ...style } : 'must be a comma-separated list of email addresses',
);

const webhookFormat = `must be a comma-separated list like json=https://hooks.example.com/x. Kinds: ${webhookKinds.join(', ')}`;

const webhookList = channelList<AlarmWebhook>((text, style) => {
  const kind = webhookKinds.find((candidate) => text.startsWith(`${candidate}=`));
  const address = text.slice((kind?.length ?? 0) + 1);
  if (!kind || !/^https?:\/\//.test(address) || !URL.canParse(address)) return webhookFormat;
  const url = new URL(address);
  if (url.username !== '' || url.password !== '') return webhookFormat;
  const signedWith = decodeText(url.hash.slice(1));
  if (signedWith === null) return 'has a secret with a % that is not encoded. Write it as %25';
  url.hash = '';
  return { kind, url: url.href, secret: signedWith || null, ...style, language: style.language ?? kindLanguages[kind] };
});

function decodeText(text: string): string | null {
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
  const withDefaultZone = <C extends ChannelStyle>(channel: C): C => ({
    ...channel,
    zone: channel.zone ?? values.TIME_ZONE ?? null,
  });
  const mailChannels = (values.ALARM_MAIL ?? []).map(withDefaultZone);
  if (production && mailChannels.length > 0 && !values.SMTP_URL)
    throw new ConfigError('SMTP_URL is required when ALARM_MAIL is set');
  const duplicateAddress = findDuplicate(mailChannels.map(({ address }) => address));
  if (duplicateAddress !== undefined) throw new ConfigError(`ALARM_MAIL lists ${duplicateAddress} twice`);
  const webhooks = (values.ALARM_WEBHOOKS ?? []).map((webhook) => ({
    ...withDefaultZone(webhook),
    secret: webhook.secret ?? (webhook.kind === 'json' ? (values.ALARM_SECRET ?? null) : null),
  }));
  if (findDuplicate(webhooks.map(({ kind, url }) => `${kind} ${url}`)) !== undefined)
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
  return { mail: mailChannels, webhooks, waitMs: values.ALARM_WAIT_MINUTES * 60_000 };
}

const findDuplicate = (values: readonly string[]): string | undefined =>
  values.find((value, index) => values.indexOf(value) !== index);
