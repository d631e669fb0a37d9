import { expect, test } from 'vitest';
import type { LogLine, Statement } from '../../api/authority/statements.ts';
import { testClaim, testGenesis, passkeyPerson, TestLog, walletPerson, type TestPerson } from '../testing/authority.ts';
import { AuthorityLog, LogError } from './replay.ts';

const [ann, bob] = [passkeyPerson('Ann'), walletPerson('Bob')];

test('limits each person to 200 incomplete statements of a kind without affecting others', async () => {
  const log = new TestLog(testGenesis([ann, bob]));
  const reader = new AuthorityLog({ genesis: log.genesisHash, now: () => log.now });
  await reader.add(log.lines[0]);
  const proposed: Statement[] = [];
  for (let vout = 0; vout < 200; vout++) {
    const statement = log.propose('mint.approve', testClaim({ vout }));
    proposed.push(statement);
    await reader.add(log.signAs(statement, ann, {}));
  }
  const tried = (statement: Statement, by: TestPerson) => {
    const line: LogLine = log.signAs(statement, by, {});
    log.lines.pop();
    return reader.fork().add(line);
  };
  const next = log.propose('mint.approve', testClaim({ vout: 200 }));
  await expect(tried(next, ann)).rejects.toThrow(new LogError(201, 'LIMIT'));
  await expect(tried(next, bob)).resolves.toBeUndefined();
  await expect(tried(log.propose('freeze', { reason: 'x' }), ann)).resolves.toBeUndefined();
  const [first] = proposed;
  if (!first) throw new Error('nothing was proposed');
  await reader.add(log.signAs(first, bob, {}));
  await expect(tried(log.propose('mint.approve', testClaim({ vout: 201 })), ann)).resolves.toBeUndefined();
});
