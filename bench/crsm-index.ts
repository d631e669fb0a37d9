import { encodeFunctionData, type Address, type Hex } from 'viem';
import { crsmAbi } from '../chain/abi/crsm.ts';
import { indexCrsms } from '../server/crsm-indexer.ts';
import { readConfig } from '../server/platform/config.ts';
import { crsmChain } from '../server/platform/crsm-chain.ts';
import { openDatabase } from '../server/platform/db.ts';
import { createLog } from '../server/platform/log.ts';
import { openOutside } from '../server/platform/outside.ts';
import { chainEnv, percent, startCrsmChain, yu, type CrsmTestChain } from '../server/platform/test-crsm.ts';

export interface Indexed {
  /** In the index; and those that were put on the chain. */
  events: number;
  wanted: number;
  blocks: number;
  /** From an empty database, figures included. */
  indexMs: number;
  /** The same ranges asked of the node by plain eth_getLogs, its answers parsed and thrown away. */
  logsMs: number;
}

const clones = 10;
const eventsInCall = 50;
/** Transfer of the trove, Transfer of its own token, CRUpdated, NewCRSMDeployment, Deposited. */
const eventsOfMaking = 5;

/** Indexes a chain that has at least so many CRSM events into an empty database, beside what the node needs to hand them out. */
export async function measureIndex(databaseUrl: string, events: number): Promise<Indexed> {
  const config = readConfig({ NODE_ENV: 'test' });
  const log = createLog({ level: 'warn' });
  const database = openDatabase({ url: databaseUrl, log });
  const chain = await startCrsmChain();
  try {
    await database.migrate();
    const wanted = await emit(chain, events);
    const evm = readConfig({ NODE_ENV: 'test', ...chainEnv(chain.url) }).evm;
    const node = evm && crsmChain(evm);
    if (!node) throw new Error('the chain has no CRSMs');

    const asked: Asked[] = [];
    const { protocolEvents, cloneEvents } = node;
    const watched = {
      ...node,
      protocolEvents(from: bigint, to: bigint) {
        asked.push({
          from,
          to,
          address: [node.contracts.crsmFactory, node.contracts.troveManager, node.contracts.stabilityPool],
        });
        return protocolEvents(from, to);
      },
      cloneEvents(from: bigint, to: bigint, address: readonly Address[]) {
        asked.push({ from, to, address });
        return cloneEvents(from, to, address);
      },
    };
    const services = { config, log, database, now: Date.now, ...openOutside(config) };
    const started = performance.now();
    const head = await indexCrsms({ services, chain: watched });
    const indexMs = performance.now() - started;
    if (!head) throw new Error('the chain changed');

    const since = performance.now();
    for (const range of asked) await logsOf(chain.url, range);
    const logsMs = performance.now() - since;
    const { rows } = await database.db.execute<{ count: number }>('select count(*)::int as count from crsm_events');
    return { events: rows[0]?.count ?? 0, wanted, blocks: Number(head.number), indexMs, logsMs };
  } finally {
    await chain.stop();
    await database.close();
  }
}

interface Asked {
  from: bigint;
  to: bigint;
  address: readonly Address[];
}

const logsOf = (url: string, { from, to, address }: Asked) =>
  request(url, [{ method: 'eth_getLogs', params: [{ fromBlock: hex(from), toBlock: hex(to), address }] }]);

/** Has the owner of ten CRSMs tell them the same ratios again and again, fifty times a transaction. Answers how many events there are. */
async function emit(chain: CrsmTestChain, events: number): Promise<number> {
  const [owner] = chain.operators;
  await chain.fund();
  const made: Address[] = [];
  for (let number = 0; number < clones; number++) {
    const id = await chain.nextTrove();
    await chain.open(owner);
    await chain.create(owner, id, yu(1000));
    made.push(await chain.newest());
  }
  const tell = encodeFunctionData({
    abi: crsmAbi,
    functionName: 'updateCR',
    args: [percent(150), percent(180), percent(200)],
  });
  const args = [Array.from({ length: eventsInCall }, (): Hex => tell)] as const;
  const data = encodeFunctionData({ abi: crsmAbi, functionName: 'multicall', args });
  const nonce = await chain.client.getTransactionCount({ address: owner.address });
  const calls = Array.from({ length: Math.ceil(events / eventsInCall) }, (_, at) => ({
    method: 'eth_sendTransaction',
    params: [{ from: owner.address, to: made[at % clones], data, gas: hex(2_000_000n), nonce: hex(BigInt(nonce + at)) }],
  }));
  for (let at = 0; at < calls.length; at += 100) await request(chain.url, calls.slice(at, at + 100));
  const isMined = async () => (await chain.client.getTransactionCount({ address: owner.address })) === nonce + calls.length;
  while (!(await isMined())) await chain.mine();
  return calls.length * eventsInCall + clones * eventsOfMaking;
}

/** A batch of JSON-RPC calls, none of them refused. */
async function request(url: string, calls: readonly { method: string; params: unknown[] }[]): Promise<void> {
  const body = JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })));
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const answers = (await answer.json()) as { error?: { message: string } }[];
  const refused = answers.find(({ error }) => error);
  if (refused) throw new Error(refused.error?.message);
}

const hex = (value: bigint): Hex => `0x${value.toString(16)}`;
