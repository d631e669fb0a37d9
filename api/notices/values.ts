export const platforms = ['all', 'desktop', 'mobile'] as const;
export type Platform = (typeof platforms)[number];

export const phases = ['scheduled', 'current', 'over'] as const;
export type Phase = (typeof phases)[number];

/** `startsAt` is inclusive, `endsAt` exclusive; null is unbounded. */
export function phaseOf({ startsAt, endsAt }: { startsAt: string | null; endsAt: string | null }, now: Date): Phase {
  if (endsAt !== null && new Date(endsAt) <= now) return 'over';
  return startsAt !== null && new Date(startsAt) > now ? 'scheduled' : 'current';
}
