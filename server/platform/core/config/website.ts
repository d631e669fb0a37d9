import { resolve } from 'node:path';
import { ConfigError, originList, nonEmptyText, urlList, integerText, type ConfigContext, type ValuesOf } from './values.ts';

export const websiteVariables = {
  NEWS_FEEDS: urlList.default([]),
  PUBLIC_ORIGINS: originList.optional(),
  /** In ten minutes. */
  FEEDBACK_PER_NETWORK: integerText(1, 1_000_000).default(10),
  EVENTS_PER_NETWORK: integerText(1, 10_000_000).default(600),
  /** MaxMind database (.mmdb). */
  COUNTRY_DATABASE: nonEmptyText.optional(),
  /** 0 = forever. Roll-ups stay. */
  STATISTICS_KEEP_MONTHS: integerText(0, 1200).default(25),
};

export interface WebsiteConfig {
  readonly newsFeeds: readonly string[];
  readonly publicOrigins: readonly string[] | 'any';
  readonly feedbackPerNetwork: number;
  readonly eventsPerNetwork: number;
  readonly countryDatabase: string | null;
  readonly statisticsKeepMonths: number;
}

export function readWebsite(values: ValuesOf<typeof websiteVariables>, { production }: ConfigContext): WebsiteConfig {
  for (const { protocol, port, username, password } of values.NEWS_FEEDS.map((feed) => new URL(feed))) {
    if (username !== '' || password !== '') throw new ConfigError('NEWS_FEEDS must not contain user names or passwords');
    if (production && (protocol !== 'https:' || port !== ''))
      throw new ConfigError('NEWS_FEEDS must contain only https:// URLs without a port in production');
  }
  return {
    newsFeeds: values.NEWS_FEEDS,
    publicOrigins: values.PUBLIC_ORIGINS ?? (production ? [] : 'any'),
    feedbackPerNetwork: values.FEEDBACK_PER_NETWORK,
    eventsPerNetwork: values.EVENTS_PER_NETWORK,
    countryDatabase: values.COUNTRY_DATABASE ? resolve(values.COUNTRY_DATABASE) : null,
    statisticsKeepMonths: values.STATISTICS_KEEP_MONTHS,
  };
}
