/** Why an account needs an enrollment code. FACTOR: it has no second factor. VOUCH: no one vouched for its second factor. */
export const factorGaps = ['FACTOR', 'VOUCH'] as const;
export type FactorGap = (typeof factorGaps)[number];
