import { expect, test } from 'vitest';
import { createTestDatabase } from '../../testing/support.ts';
import { createLogger } from '../core/log.ts';
import { computeOffset } from './clock-offset.ts';
import { watchClock } from './clock-watch.ts';
import { openDatabase } from './db.ts';

test.each([
  ['agrees with a clock read in between', 1_000, 1_010, 1_004, 0],
  ['is ahead of a clock that reads an earlier time', 61_000, 61_010, 1_000, 60_000],
  ['is behind a clock that reads a later time', 1_000, 1_010, 61_010, -60_000],
])('measures the offset of a clock %s', (_, sentAt, receivedAt, otherTime, offset) => {
  expect(computeOffset(sentAt, receivedAt, otherTime)).toBe(offset);
});

test.each([
  ['ten minutes ahead', 600_000, 'the clock of this server is 600 s ahead of the clock of the database'],
  ['ten minutes behind', -600_000, 'the clock of this server is 600 s behind the clock of the database'],
])('a server whose clock is %s is not ready, and says so in its log', async (_, skew, problem) => {
  const { url } = await createTestDatabase();
  const lines: string[] = [];
  const log = createLogger({ level: 'info' }, { write: (line) => void lines.push(line) });
  let skewedClock = skew;
  const database = openDatabase({ url, log, clock: () => Date.now() + skewedClock });
  expect(await database.readinessProblem()).toBe(problem);
  await watchClock({ database, log })();
  expect(lines.join('')).toContain(`not ready: ${problem}. Check its time synchronization`);
  skewedClock = 0;
  expect(await database.readinessProblem()).toBeNull();
  await database.close();
});

test('a difference of some seconds is logged, and the server stays ready', async () => {
  const { url } = await createTestDatabase();
  const lines: string[] = [];
  const log = createLogger({ level: 'info' }, { write: (line) => void lines.push(line) });
  const database = openDatabase({ url, log, clock: () => Date.now() + 10_000 });
  await watchClock({ database, log })();
  expect(lines.join('')).toContain('the clock of this server is 10 s ahead of the clock of the database');
  expect(await database.readinessProblem()).toBeNull();
  await database.close();
});
