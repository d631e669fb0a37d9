export const phases = ['scheduled', 'current', 'over'] as const;
export type Phase = (typeof phases)[number];

/** Null is unbounded. `startsAt` is inclusive, `endsAt` exclusive. */
export interface Period {
  startsAt: string | null;
  endsAt: string | null;
}

export function getPhase({ startsAt, endsAt }: Period, now: Date): Phase {
  if (endsAt !== null && new Date(endsAt) <= now) return 'over';
  return startsAt !== null && new Date(startsAt) > now ? 'scheduled' : 'current';
}
