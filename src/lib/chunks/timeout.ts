/** A chunk that takes longer than this, milliseconds, has failed (specification §9). */
export const chunkTimeout = 120_000;
