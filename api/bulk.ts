/** So many rows at most in one write, one transaction. */
export const maxTargets = 200;

/** So many rows at most are taken as "all that match". */
export const mostMatching = 10_000;
