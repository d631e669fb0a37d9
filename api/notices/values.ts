export const platforms = ['all', 'desktop', 'mobile'] as const;
export type Platform = (typeof platforms)[number];
