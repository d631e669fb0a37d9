import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonical } from '../../api/authority/canonical.ts';
import type { LogLine } from '../../api/authority/statements.ts';
import {
  testClaim,
  testGenesis,
  custodyOfA,
  passkeyPerson,
  receiverA,
  rechainLines,
  testRules,
  softwarePerson,
  TestLog,
  walletPerson,
} from '../testing/authority.ts';
import { AuthorityLog, LogError, replay, type Authority } from './replay.ts';
import { inTier } from '../../scripts/suite/tier.ts';

// Either the mutated line or the next one is refused, or nothing that is believed changes.

const ann = passkeyPerson('Ann', ['custody']);
const bob = walletPerson('Bob', ['custody']);
const cid = softwarePerson('Cid', ['head']);
const eve = passkeyPerson('Eve');

function story(): TestLog {
  const log = new TestLog(testGenesis([ann, bob, cid], { development: true }));
  const { network, txid, vout } = testClaim();
  log.sign(log.propose('approver.add', { person: eve.person, name: 'Eve', roles: ['head'], key: eve.key }), ann, eve, bob);
  log.wait(90_000).sign(log.propose('policy.set', testRules({ coolingSeconds: 60 })), cid, eve);
  log
    .wait(90_000)
    .sign(log.propose('custody.add', { address: 'bcrt1qvenxvenxvenxvenxvenxvenxvenxvenxq8rguk', note: 'new' }), ann, bob);
  log.sign(log.propose('custody.remove', { address: custodyOfA, reason: 'old' }), ann, bob);
  log.sign(log.propose('receiver.add', { address: receiverA, institution: 'Alpha Bank', custody: [], payout: [] }), ann, cid);
  log.sign(log.propose('mint.approve', testClaim({ policy: 4, authors: [cid.person] })), ann, bob);
  log.wait(60).sign(log.propose('mint.cancel', { network, txid, vout, reason: 'x' }), eve);
  const freeze = log.propose('freeze', { reason: 'y' });
  log.sign(freeze, cid);
  log.sign(log.propose('unfreeze', { freeze: String(log.numberOf(freeze)), difference: '', reason: 'z' }), ann, bob);
  log.sign(log.propose('approver.remove', { person: eve.person, name: 'Eve', reason: 'gone' }), ann, bob);
  log.sign(log.propose('mint.approve', testClaim({ policy: 4, vout: 1 })), bob, ann);
  return log;
}

const log = story();
const believedOf = ({ people, policies, custody, receivers, freezes, canceled, statements }: Authority): string =>
  canonical({
    people: [...people.values()].map(({ person, name, roles, keys }) => ({
      person,
      name,
      roles,
      keys: keys.map(({ key }) => key),
    })),
    policies: policies.map(({ policy }) => policy),
    custody: [...custody.keys()],
    receivers: [...receivers.values()].flatMap((listed) => listed.map(({ receiver }) => receiver)),
    freezes: [...freezes.keys()],
    canceled: [...canceled.keys()],
    passed: [...statements.values()]
      .filter(({ passedAt }) => passedAt !== null)
      .map(({ statement: { kind, content } }) => ({ kind, content })),
    signed: [...statements.values()].map(({ signed }) => [...signed.keys()]),
  });

const options = { genesis: log.genesisHash, now: () => log.now };
const read: AuthorityLog[] = [];
for (let length = 0; length <= log.lines.length; length++) {
  const whole = new AuthorityLog(options);
  for (const line of log.lines.slice(0, length)) await whole.add(line);
  read.push(whole);
}
const whole = believedOf(await replay(log.lines, options));

async function refusedAt(lines: readonly unknown[], from = 0): Promise<number | null> {
  const reader = read[from]?.fork() ?? new AuthorityLog(options);
  try {
    for (const line of lines.slice(from)) await reader.add(line);
    expect(believedOf(reader.state())).toBe(whole);
    return null;
  } catch (error) {
    if (error instanceof LogError) return error.line;
    throw error;
  }
}

const seed = 20_261_102;
const lineNumber = fc.nat({ max: log.lines.length - 1 });

test('the verifier accepts the unchanged log', async () => {
  expect(await refusedAt(log.lines)).toBeNull();
  expect(await refusedAt(log.lines.map(canonical))).toBeNull();
});

test('detects any changed byte of any line', async () => {
  await fc.assert(
    fc.asyncProperty(lineNumber, fc.nat(), fc.integer({ min: 1, max: 255 }), async (number, where, by) => {
      const bytes = Buffer.from(canonical(log.lines[number]));
      const at = where % bytes.length;
      bytes[at] = (bytes[at] ?? 0) ^ by;
      const refused = await refusedAt(
        log.lines.map((line, index) => (index === number ? bytes.toString() : canonical(line))),
        number,
      );
      // Nothing follows the last line, so another encoding of its signature is accepted.
      if (refused === null) expect(number).toBe(log.lines.length - 1);
      else expect([number, number + 1]).toContain(refused);
    }),
    { seed, numRuns: 400 },
  );
});

function placesIn(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const entries: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [...(path.length > 0 ? [path] : []), ...entries.flatMap(([key, member]) => placesIn(member, [...path, key]))];
}

function put(value: unknown, [key, ...path]: readonly (string | number)[], change: (value: unknown) => unknown): unknown {
  if (key === undefined) return change(value);
  if (Array.isArray(value)) return value.map((member: unknown, index) => (index === key ? put(member, path, change) : member));
  const members = Object.entries(value as object).map(([name, member]) => [
    name,
    name === key ? put(member, path, change) : member,
  ]);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}

const texts = log.lines.flatMap((line) => canonical(line).match(/"[^"]*"/g) ?? []).map((text) => text.slice(1, -1));

const change: fc.Arbitrary<(value: unknown) => unknown> = fc.oneof(
  fc.nat().map((where) => (value: unknown) => {
    if (typeof value === 'number') return value + 1;
    if (typeof value !== 'string' || value === '') return 'x';
    const at = where % value.length;
    return `${value.slice(0, at)}${value[at] === '1' ? '2' : '1'}${value.slice(at + 1)}`;
  }),
  fc.constantFrom(...texts).map((text) => () => text),
  fc.constantFrom<unknown[]>(null, 0, -1, 2, true, '', '0', [], {}, undefined).map((value) => () => value),
  fc.constant((value: unknown) => (Array.isArray(value) ? [...value, ...value] : [value])),
);

const mutated = fc.tuple(lineNumber, fc.nat(), change).map(([number, where, make]) => {
  const line = log.lines[number];
  const places = placesIn(line);
  return { number, line: put(line, places[where % places.length] ?? [], make), path: places[where % places.length] };
});

test('detects any changed value of any line', async () => {
  await fc.assert(
    fc.asyncProperty(mutated, async ({ number, line }) => {
      const refused = await refusedAt(
        log.lines.map((one, index) => (index === number ? line : one)),
        number,
      );
      const isLast = number === log.lines.length - 1;
      const isSame = canonical(line) === canonical(log.lines[number]);
      const allowed = isSame ? [null] : isLast ? [null, number] : [number, number + 1];
      expect(allowed).toContain(refused);
    }),
    { seed, numRuns: inTier(150, 600) },
  );
});

test('believes only signed content when values and all later hashes are changed', async () => {
  let survived = 0;
  await fc.assert(
    fc.asyncProperty(mutated, async ({ number, line }) => {
      let lines: LogLine[];
      try {
        lines = rechainLines(
          log.lines.map((one, index) => (index === number ? (line as LogLine) : one)),
          log.lines,
        );
      } catch {
        return;
      }
      const refused = await refusedAt(lines, number);
      if (refused === null) survived += 1;
      else expect(refused).toBeGreaterThanOrEqual(number);
    }),
    { seed, numRuns: inTier(150, 600) },
  );
  expect(survived).toBeGreaterThan(0);
});

test('detects missing, repeated and reordered lines', async () => {
  await fc.assert(
    fc.asyncProperty(lineNumber, lineNumber, fc.boolean(), async (from, to, isMoved) => {
      fc.pre(from !== to);
      const lines: LogLine[] = [...log.lines];
      const [line] = lines.splice(from, 1);
      if (isMoved && line) lines.splice(to, 0, line);
      const cut = !isMoved && from === log.lines.length - 1;
      fc.pre(!cut); // only the signer's record detects a shorter log
      expect(await refusedAt(lines)).toBe(Math.min(from, isMoved ? to : from));
    }),
    { seed, numRuns: 200 },
  );
});
