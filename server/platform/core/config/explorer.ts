import * as z from 'zod';
import { isHttp } from './urls.ts';

/** URL or `off`. Every signed-in person receives it. */
export const explorerText = z
  .string()
  .refine((value) => value === 'off' || isHttp(value), 'must be an http(s) URL or off')
  .refine((value) => !/[?#@]/.test(value), 'must not contain a user name, password, query or fragment');

/** Without a trailing slash. `defaultExplorer`: default of a public chain. */
export function chooseExplorer(configuredExplorer: string | undefined, defaultExplorer: string | undefined): string | null {
  const url = configuredExplorer ?? defaultExplorer;
  return url === undefined || url === 'off' ? null : url.replace(/\/+$/, '');
}
