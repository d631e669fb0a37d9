import * as z from 'zod';
import { isHttp } from './urls.ts';

/** A block explorer's address, or `off`. Everybody signed in is told it, and a path is put behind it. */
export const explorer = z
  .string()
  .refine((value) => value === 'off' || isHttp(value), 'must be an http(s) URL or off')
  .refine((value) => !/[?#@]/.test(value), 'must not contain a user name, password, query or fragment');

/** Where a block explorer is, without a slash at its end; `known`: the one of a public chain, where none is given. Null: none. */
export function explorerOf(given: string | undefined, known: string | undefined): string | null {
  const url = given ?? known;
  return url === undefined || url === 'off' ? null : url.replace(/\/+$/, '');
}
