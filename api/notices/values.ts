/** Where the official website shows a notice. */
export const platforms = ['all', 'desktop', 'mobile'] as const;
export type Platform = (typeof platforms)[number];

/** Where a notice stands against its period: before it, in it, after it. */
export const phases = ['scheduled', 'current', 'over'] as const;
export type Phase = (typeof phases)[number];

/** The moment it starts belongs to the period, the moment it ends does not; null is without that end. */
export function phaseOf({ startsAt, endsAt }: { startsAt: string | null; endsAt: string | null }, now: Date): Phase {
  if (endsAt !== null && new Date(endsAt) <= now) return 'over';
  return startsAt !== null && new Date(startsAt) > now ? 'scheduled' : 'current';
}
