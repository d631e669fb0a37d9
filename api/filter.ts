// URLs, saved views, audit and API share this text form: `country=DE,FR`, `result=!done`,
// `vault=-`, `amount=0.5..2`.

/** Only fields with an index can be filtered. */
export type FilterField =
  | { readonly kind: 'search' }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'flag' }
  | { readonly kind: 'value'; readonly shape: RegExp; readonly nullable?: true }
  | { readonly kind: 'time'; readonly utc?: true }
  /** Stored in base units with `places` decimals. */
  | { readonly kind: 'number'; readonly places: number; readonly max: bigint; readonly unit?: string };

export type Fields = Readonly<Record<string, FilterField>>;

export type FilterOf<F> = { -readonly [K in keyof F]?: string | undefined };

export type Condition =
  | { readonly op: 'has'; readonly text: string }
  /** null: no value. */
  | { readonly op: 'is' | 'isNot'; readonly values: readonly (string | null)[] }
  /** Times exclude `to`, numbers include it. */
  | { readonly op: 'between'; readonly from: string | null; readonly to: string | null };

export const searchFilter = { kind: 'search' } as const;
export const flagFilter = { kind: 'flag' } as const;
export const timeFilter = { kind: 'time' } as const;
export const choiceFilter = <const V extends string>(values: readonly V[]) => ({ kind: 'choice', values }) as const;
