import { encodeFunctionData } from 'viem';
import { crsmAbi } from '../chain/abi/crsm.ts';
import { indexCrsms } from '../server/crsm/indexer.ts';
import { readConfig } from '../server/platform/core/config.ts';
import { crsmChain } from '../server/crsm/chain.ts';
import { openDatabase } from '../server/platform/db/db.ts';
import { createLog } from '../server/platform/core/log.ts';
import { openOutside } from '../server/platform/core/services.ts';
import { chainEnv, percent, startCrsmChain } from '../server/testing/crsm.ts';

interface Measured {
  events: number;
  /** Milliseconds: of the whole index, and of the same events asked for and thrown away. */
  indexMs: number;
  rpcMs: number;
}

const perTransaction = 1_000;

/** Indexes so many events of one clone from an anvil, into an empty database. */
export async function measureIndexing(databaseUrl: string, wanted: number): Promise<Measured> {
  const chain = await startCrsmChain();
  const config = readConfig({ NODE_ENV: 'test', ...chainEnv(chain.url) });
  const log = createLog({ level: 'silent' });
  const database = openDatabase({ url: databaseUrl, log });
  try {
    await database.migrate();
    const node = config.evm && crsmChain(config.evm, { timeoutMs: 60_000 });
    if (!node) throw new Error('no chain');
    const [owner] = chain.operators;
    await chain.fund();
    await chain.open(owner);
    await chain.create(owner, 0n, 0n);
    const clone = await chain.newest();
    const one = encodeFunctionData({ abi: crsmAbi, functionName: 'updateCR', args: [percent(150), percent(180), percent(200)] });
    for (let sent = 0; sent < wanted; sent += perTransaction)
      await chain.as(owner).writeContract({
        address: clone,
        abi: crsmAbi,
        functionName: 'multicall',
        args: [Array.from({ length: perTransaction }, () => one)],
        gas: 25_000_000n,
      });
    await chain.mine();
    const { number: head } = await node.head();
    const services = { config, log, database, now: Date.now, ...openOutside(config) };
    const batch = 10n;
    let events = 0;
    const rpc = performance.now();
    for (let from = 0n; from <= head; from += batch) {
      const to = from + batch - 1n < head ? from + batch - 1n : head;
      events += (await node.protocolEvents(from, to)).length + (await node.cloneEvents(from, to, [clone])).length;
    }
    const index = performance.now();
    await indexCrsms({ services, chain: node, batch });
    return { events, indexMs: performance.now() - index, rpcMs: index - rpc };
  } finally {
    await database.close();
    await chain.stop();
  }
}
