import { expect, test } from 'vitest';
import type { LogLine, Statement } from '../../api/authority/statements.ts';
import {
  buildMintClaim,
  buildTestGenesis,
  createPasskeyPerson,
  TestLog,
  createWalletPerson,
  type TestPerson,
} from '../testing/authority.ts';
import { AuthorityLog, LogError } from './replay.ts';

const [ann, bob] = [createPasskeyPerson('Ann'), createWalletPerson('Bob')];

test('limits each person to 200 incomplete statements of a kind without affecting others', async () => {
  const log = new TestLog(buildTestGenesis([ann, bob]));
  const reader = new AuthorityLog({ genesis: log.genesisHash, now: () => log.now });
  await reader.add(log.lines[0]);
  const proposedStatements: Statement[] = [];
  for (let vout = 0; vout < 200; vout++) {
    const statement = log.propose('mint.approve', buildMintClaim({ vout }));
    proposedStatements.push(statement);
    await reader.add(log.signAs(statement, ann, {}));
  }
  const trySign = (statement: Statement, signer: TestPerson) => {
    const line: LogLine = log.signAs(statement, signer, {});
    log.lines.pop();
    return reader.fork().add(line);
  };
  const nextStatement = log.propose('mint.approve', buildMintClaim({ vout: 200 }));
  await expect(trySign(nextStatement, ann)).rejects.toThrow(new LogError(201, 'LIMIT'));
  await expect(trySign(nextStatement, bob)).resolves.toBeUndefined();
  await expect(trySign(log.propose('freeze', { reason: 'x' }), ann)).resolves.toBeUndefined();
  const [firstStatement] = proposedStatements;
  if (!firstStatement) throw new Error('nothing was proposed');
  await reader.add(log.signAs(firstStatement, bob, {}));
  await expect(trySign(log.propose('mint.approve', buildMintClaim({ vout: 201 })), ann)).resolves.toBeUndefined();
});
