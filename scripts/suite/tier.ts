/** Whether this is the long run, for a night or a release: `npm run test:all`. */
export const isLongRun = process.env['TEST_TIER'] === 'all';

/** How much of something a run does: `inTier(15, 250)` requests to a route in `npm test`, 250 in `npm run test:all`. */
export const inTier = <T>(short: T, long: T): T => (isLongRun ? long : short);

/** How often two who act at the same moment are set against each other. */
export const raceRounds = inTier(12, 200);
