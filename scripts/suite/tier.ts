/** `npm run test:all`, for a night or a release. */
export const isLongRun = process.env['TEST_TIER'] === 'all';

/** 15 or 250: `inTier(15, 250)`. */
export const inTier = <T>(shortRunValue: T, longRunValue: T): T => (isLongRun ? longRunValue : shortRunValue);

/** Repetitions of each race. */
export const raceRounds = inTier(12, 200);
