export const mostReads = 32;
