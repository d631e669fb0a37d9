import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { Reader, type Response } from 'mmdb-lib';
import { ConfigError, type Config } from '../core/config.ts';
import { memoizePerServer } from '../services/context.ts';

/** ISO 3166, or null. */
export const countryLookupOf = memoizePerServer(({ config }) => openCountries(config));

/** Throws ConfigError. */
export function openCountries({ countryDatabase }: Config): (ip: string) => string | null {
  if (countryDatabase === null) return () => null;
  const countryReader = openDatabaseFile(countryDatabase);
  return (ip) => {
    if (isIP(ip) === 0) return null;
    try {
      return parseCountryCode(countryReader.get(ip));
    } catch {
      return null; // an IPv6 address, but the database has only IPv4
    }
  };
}

function openDatabaseFile(file: string): Reader<Response> {
  try {
    return new Reader<Response>(readFileSync(file));
  } catch (error) {
    throw new ConfigError(
      `COUNTRY_DATABASE names ${file}, which isn’t a MaxMind database (${error instanceof Error ? error.message : 'unreadable'})`,
    );
  }
}

/** MaxMind and DB-IP: { country: { iso_code } }. IPinfo: { country_code } or { country }. */
function parseCountryCode(lookupResult: unknown): string | null {
  if (typeof lookupResult !== 'object' || lookupResult === null) return null;
  const { country, country_code: countryCode } = lookupResult as { country?: unknown; country_code?: unknown };
  const code =
    typeof country === 'object' && country !== null ? (country as { iso_code?: unknown }).iso_code : (countryCode ?? country);
  return typeof code === 'string' && /^[A-Z]{2}$/.test(code) ? code : null;
}
