/** Milliseconds (specification §9). */
export const chunkTimeout = 120_000;
