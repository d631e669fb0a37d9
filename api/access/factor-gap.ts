/** FACTOR: has none, and its first needs a colleague's enrollment code. VOUCH: has one that nobody vouched for. */
export const factorGaps = ['FACTOR', 'VOUCH'] as const;
export type FactorGap = (typeof factorGaps)[number];
