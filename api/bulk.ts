/** Rows per write, in one transaction. */
export const maxTargets = 200;

/** Rows in "all that match". */
export const mostMatching = 10_000;
