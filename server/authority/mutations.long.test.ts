import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonical } from '../../api/authority/canonical.ts';
import type { LogLine } from '../../api/authority/statements.ts';
import {
  buildMintClaim,
  buildTestGenesis,
  custodyAddressOfA,
  createPasskeyPerson,
  receiverA,
  rechainLines,
  buildTestRules,
  createSoftwarePerson,
  TestLog,
  createWalletPerson,
} from '../testing/authority.ts';
import { AuthorityLog, LogError, replay, type Authority } from './replay.ts';
import { inTier } from '../../scripts/suite/tier.ts';

// Either the mutated line or the next one is refused, or nothing that is believed changes.

const ann = createPasskeyPerson('Ann', ['custody']);
const bob = createWalletPerson('Bob', ['custody']);
const cid = createSoftwarePerson('Cid', ['head']);
const eve = createPasskeyPerson('Eve');

function buildSampleLog(): TestLog {
  const log = new TestLog(buildTestGenesis([ann, bob, cid], { development: true }));
  const { network, txid, vout } = buildMintClaim();
  log.sign(log.propose('approver.add', { person: eve.person, name: 'Eve', roles: ['head'], key: eve.key }), ann, eve, bob);
  log.wait(90_000).sign(log.propose('policy.set', buildTestRules({ coolingSeconds: 60 })), cid, eve);
  log
    .wait(90_000)
    .sign(log.propose('custody.add', { address: 'bcrt1qvenxvenxvenxvenxvenxvenxvenxvenxq8rguk', note: 'new' }), ann, bob);
  log.sign(log.propose('custody.remove', { address: custodyAddressOfA, reason: 'old' }), ann, bob);
  log.sign(log.propose('receiver.add', { address: receiverA, institution: 'Alpha Bank', custody: [], payout: [] }), ann, cid);
  log.sign(log.propose('mint.approve', buildMintClaim({ policy: 4, authors: [cid.person] })), ann, bob);
  log.wait(60).sign(log.propose('mint.cancel', { network, txid, vout, reason: 'x' }), eve);
  const freeze = log.propose('freeze', { reason: 'y' });
  log.sign(freeze, cid);
  log.sign(log.propose('unfreeze', { freeze: String(log.numberOf(freeze)), difference: '', reason: 'z' }), ann, bob);
  log.sign(log.propose('approver.remove', { person: eve.person, name: 'Eve', reason: 'gone' }), ann, bob);
  log.sign(log.propose('mint.approve', buildMintClaim({ policy: 4, vout: 1 })), bob, ann);
  return log;
}

const log = buildSampleLog();
const serializeState = ({ people, policies, custody, receivers, freezes, canceled, statements }: Authority): string =>
  canonical({
    people: [...people.values()].map(({ person, name, roles, keys }) => ({
      person,
      name,
      roles,
      keys: keys.map(({ key }) => key),
    })),
    policies: policies.map(({ policy }) => policy),
    custody: [...custody.keys()],
    receivers: [...receivers.values()].flatMap((receiverEntries) => receiverEntries.map(({ receiver }) => receiver)),
    freezes: [...freezes.keys()],
    canceled: [...canceled.keys()],
    passed: [...statements.values()]
      .filter(({ passedAt }) => passedAt !== null)
      .map(({ statement: { kind, content } }) => ({ kind, content })),
    signed: [...statements.values()].map(({ signed }) => [...signed.keys()]),
  });

const options = { genesis: log.genesisHash, now: () => log.now };
const prefixLogs: AuthorityLog[] = [];
for (let length = 0; length <= log.lines.length; length++) {
  const prefixLog = new AuthorityLog(options);
  for (const line of log.lines.slice(0, length)) await prefixLog.add(line);
  prefixLogs.push(prefixLog);
}
const fullState = serializeState(await replay(log.lines, options));

async function firstInvalidLine(lines: readonly unknown[], from = 0): Promise<number | null> {
  const reader = prefixLogs[from]?.fork() ?? new AuthorityLog(options);
  try {
    for (const line of lines.slice(from)) await reader.add(line);
    expect(serializeState(reader.state())).toBe(fullState);
    return null;
  } catch (error) {
    if (error instanceof LogError) return error.line;
    throw error;
  }
}

const seed = 20_261_102;
const lineNumber = fc.nat({ max: log.lines.length - 1 });

test('the verifier accepts the unchanged log', async () => {
  expect(await firstInvalidLine(log.lines)).toBeNull();
  expect(await firstInvalidLine(log.lines.map(canonical))).toBeNull();
});

test('detects any changed byte of any line', async () => {
  await fc.assert(
    fc.asyncProperty(lineNumber, fc.nat(), fc.integer({ min: 1, max: 255 }), async (number, where, mask) => {
      const bytes = Buffer.from(canonical(log.lines[number]));
      const byteIndex = where % bytes.length;
      bytes[byteIndex] = (bytes[byteIndex] ?? 0) ^ mask;
      const invalidLine = await firstInvalidLine(
        log.lines.map((line, index) => (index === number ? bytes.toString() : canonical(line))),
        number,
      );
      // Nothing follows the last line, so another encoding of its signature is accepted.
      if (invalidLine === null) expect(number).toBe(log.lines.length - 1);
      else expect([number, number + 1]).toContain(invalidLine);
    }),
    { seed, numRuns: 400 },
  );
});

function pathsIn(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const entries: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [...(path.length > 0 ? [path] : []), ...entries.flatMap(([key, member]) => pathsIn(member, [...path, key]))];
}

function replaceAtPath(
  value: unknown,
  [key, ...path]: readonly (string | number)[],
  changeValue: (value: unknown) => unknown,
): unknown {
  if (key === undefined) return changeValue(value);
  if (Array.isArray(value))
    return value.map((member: unknown, index) => (index === key ? replaceAtPath(member, path, changeValue) : member));
  const members = Object.entries(value as object).map(([name, member]) => [
    name,
    name === key ? replaceAtPath(member, path, changeValue) : member,
  ]);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}

const texts = log.lines.flatMap((line) => canonical(line).match(/"[^"]*"/g) ?? []).map((text) => text.slice(1, -1));

const valueChange: fc.Arbitrary<(value: unknown) => unknown> = fc.oneof(
  fc.nat().map((where) => (value: unknown) => {
    if (typeof value === 'number') return value + 1;
    if (typeof value !== 'string' || value === '') return 'x';
    const index = where % value.length;
    return `${value.slice(0, index)}${value[index] === '1' ? '2' : '1'}${value.slice(index + 1)}`;
  }),
  fc.constantFrom(...texts).map((text) => () => text),
  fc.constantFrom<unknown[]>(null, 0, -1, 2, true, '', '0', [], {}, undefined).map((value) => () => value),
  fc.constant((value: unknown) => (Array.isArray(value) ? [...value, ...value] : [value])),
);

const mutationArbitrary = fc.tuple(lineNumber, fc.nat(), valueChange).map(([number, where, changeMember]) => {
  const line = log.lines[number];
  const paths = pathsIn(line);
  return {
    number,
    line: replaceAtPath(line, paths[where % paths.length] ?? [], changeMember),
    path: paths[where % paths.length],
  };
});

test('detects any changed value of any line', async () => {
  await fc.assert(
    fc.asyncProperty(mutationArbitrary, async ({ number, line }) => {
      const invalidLine = await firstInvalidLine(
        log.lines.map((originalLine, index) => (index === number ? line : originalLine)),
        number,
      );
      const isLastLine = number === log.lines.length - 1;
      const isUnchanged = canonical(line) === canonical(log.lines[number]);
      const allowedResults = isUnchanged ? [null] : isLastLine ? [null, number] : [number, number + 1];
      expect(allowedResults).toContain(invalidLine);
    }),
    { seed, numRuns: inTier(150, 600) },
  );
});

test('believes only signed content when values and all later hashes are changed', async () => {
  let acceptedCount = 0;
  await fc.assert(
    fc.asyncProperty(mutationArbitrary, async ({ number, line }) => {
      let lines: LogLine[];
      try {
        lines = rechainLines(
          log.lines.map((originalLine, index) => (index === number ? (line as LogLine) : originalLine)),
          log.lines,
        );
      } catch {
        return;
      }
      const invalidLine = await firstInvalidLine(lines, number);
      if (invalidLine === null) acceptedCount += 1;
      else expect(invalidLine).toBeGreaterThanOrEqual(number);
    }),
    { seed, numRuns: inTier(150, 600) },
  );
  expect(acceptedCount).toBeGreaterThan(0);
});

test('detects missing, repeated and reordered lines', async () => {
  await fc.assert(
    fc.asyncProperty(lineNumber, lineNumber, fc.boolean(), async (from, to, isMoved) => {
      fc.pre(from !== to);
      const lines: LogLine[] = [...log.lines];
      const [line] = lines.splice(from, 1);
      if (isMoved && line) lines.splice(to, 0, line);
      const isTruncation = !isMoved && from === log.lines.length - 1;
      fc.pre(!isTruncation); // only the signer's record detects a shorter log
      expect(await firstInvalidLine(lines)).toBe(Math.min(from, isMoved ? to : from));
    }),
    { seed, numRuns: 200 },
  );
});
