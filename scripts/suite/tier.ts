/** `npm run test:all`, for a night or a release. */
export const isLongRun = process.env['TEST_TIER'] === 'all';

/** 15 or 250: `inTier(15, 250)`. */
export const inTier = <T>(short: T, long: T): T => (isLongRun ? long : short);

/** Repetitions of each race. */
export const raceRounds = inTier(12, 200);
