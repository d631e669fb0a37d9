/** How many reads one request may ask for. */
export const mostReads = 32;
