export const isHttp = (value: string): boolean => /^https?:\/\//.test(value) && URL.canParse(value);

export const splitList = (value: string): string[] => value.split(',').flatMap((part) => part.trim() || []);
