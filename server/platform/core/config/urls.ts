export const isHttp = (value: string): boolean => /^https?:\/\//.test(value) && URL.canParse(value);

/** The parts between commas; empty ones count for nothing. */
export const partsOf = (value: string): string[] => value.split(',').flatMap((part) => part.trim() || []);
