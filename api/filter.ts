// What a list is filtered by. One definition of each field, in its feature's fields.ts, is the contract's, the server's SQL's
// (server/platform/records/filter.ts) and the panel's; one spelling (condition.ts) of what is asked of it stands in the URL, in saved views,
// in the audit of an export and on the wire: `country=DE,FR`, `result=!done`, `vault=-`, `amount=0.5..2`.

/** What a field holds, and so which questions it takes. Only what an index serves is a field at all. */
export type Field =
  /** Free text: a part of it or its beginning, as the list says. */
  | { readonly kind: 'search' }
  /** One of a closed set of names. */
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'flag' }
  /** One of what there is in the data, exactly. `nullable`: a row may have none. */
  | { readonly kind: 'value'; readonly shape: RegExp; readonly nullable?: true }
  /** An instant of the row. */
  /** `utc`: of whole days of UTC, which days by name are then, wherever somebody is. */
  | { readonly kind: 'time'; readonly utc?: true }
  /** A decimal that is stored in base units of `places`; `most` of them at most. */
  | { readonly kind: 'number'; readonly places: number; readonly most: bigint; readonly unit?: string };

export type Fields = Readonly<Record<string, Field>>;

/** A filter as it travels: what is asked of each field, in its spelling. A row passes that passes all. */
export type FilterOf<F> = { -readonly [K in keyof F]?: string | undefined };

/** What is asked of one field. */
export type Condition =
  | { readonly op: 'has'; readonly text: string }
  /** null: the row has none. */
  | { readonly op: 'is' | 'isNot'; readonly values: readonly (string | null)[] }
  /** From the first on, of times and before the last, of numbers up to and with it. Times are ISO-8601 UTC, numbers base units. */
  | { readonly op: 'between'; readonly from: string | null; readonly to: string | null };

// ── The kinds ──────────────────────────────────────────────────────────────

export const search = { kind: 'search' } as const;
export const flag = { kind: 'flag' } as const;
export const time = { kind: 'time' } as const;
export const choice = <const V extends string>(values: readonly V[]) => ({ kind: 'choice', values }) as const;
