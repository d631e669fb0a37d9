import type {
  drawSorts,
  positionStatSorts,
  teamSorts,
  vaultSorts,
  visitSorts,
  walletConnectionSorts,
} from '../../../api/statistics/contract.ts';
import { locale } from '../../lib/i18n/i18n.ts';
import { choose, moment, search, typed, type Suggestion } from '../../lib/ui/list/filter/filters.ts';

// What each screen of statistics is filtered and sorted by: its list, its charts and its export read the same from the address.

/** Every country people may ask for, by its name; and the rows that have none. */
export function countries(): readonly Suggestion[] {
  const names = countryNames();
  const letters = Array.from({ length: 26 }, (_, at) => String.fromCodePoint(65 + at));
  const codes = letters.flatMap((one) => letters.map((other) => one + other));
  return codes.flatMap((value) => {
    const label = names.of(value);
    return label === undefined || label === value ? [] : [{ value, label }];
  });
}

const countryNames = () => new Intl.DisplayNames(locale(), { type: 'region', fallback: 'none' });

/** What people call a country: "Germany". A code that has no name stays as it is. */
export const countryName = (code: string): string => (/^[A-Z]{2}$/.test(code) ? (countryNames().of(code) ?? code) : code);

// Asked for where what was typed is no country and no chain: nothing matches, rather than everything.
const noCountry = 'ZZ';
const noChain = 2_147_483_647;

function countryOf(typedText: string): string {
  const text = typedText.trim();
  if (/^(unknown|未知)$/i.test(text)) return 'unknown';
  if (/^[a-z]{2}$/i.test(text)) return text.toUpperCase();
  return countries().find(({ label }) => label.toLowerCase() === text.toLowerCase())?.value ?? noCountry;
}

const chainOf = (text: string): number => (/^\d{1,9}$/.test(text.trim()) ? Number(text) : noChain);

/** What was typed as the routes take it: a country by name or code, a chain by its number. */
export function asked<V extends { country?: string; chainId?: string }>({ country, chainId, ...rest }: V) {
  return {
    ...rest,
    ...(country === undefined ? {} : { country: countryOf(country) }),
    ...(chainId === undefined ? {} : { chainId: chainOf(chainId) }),
  };
}

const address = search('statistics.filter.address');
const country = typed('statistics.field.country', countries);
const chainId = typed('statistics.field.chainId');
const range = { from: moment('statistics.filter.from'), to: moment('statistics.filter.to') };

const sorted = <const S extends string>(sorts: readonly S[], by: NoInfer<S>) =>
  ({ sorts, defaultSort: { by, direction: 'desc' } }) as const;

export const shapes = {
  visits: {
    ...sorted<(typeof visitSorts)[number]>(['at'], 'at'),
    filters: {
      address,
      country,
      chainId,
      page: typed('statistics.field.page'),
      vaultId: typed('statistics.field.vaultId'),
      ...range,
    },
  },
  walletConnections: {
    ...sorted<(typeof walletConnectionSorts)[number]>(['lastAt', 'firstAt', 'times'], 'lastAt'),
    filters: { address, country, chainId, wallet: typed('statistics.field.wallet'), ...range },
  },
  vaults: {
    ...sorted<(typeof vaultSorts)[number]>(['createdAt', 'collateral', 'debt', 'icr'], 'createdAt'),
    filters: { address: search('statistics.filter.owner'), chainId, ...range },
  },
  positionStats: {
    ...sorted<(typeof positionStatSorts)[number]>(['createdAt', 'collateral', 'debt', 'icr'], 'createdAt'),
    filters: {
      address: search('statistics.filter.owner'),
      status: choose('statistics.field.status', [
        { value: 'open', label: 'statistics.status.open' },
        { value: 'closed', label: 'statistics.status.closed' },
      ]),
      chainId,
      ...range,
    },
  },
  teams: {
    ...sorted<(typeof teamSorts)[number]>(['yuMinted', 'size', 'updatedAt'], 'yuMinted'),
    filters: { address, ...range },
  },
  draws: {
    ...sorted<(typeof drawSorts)[number]>(['time', 'totalBerries', 'captainBerries', 'members'], 'time'),
    filters: { address, ...range },
  },
} as const;
