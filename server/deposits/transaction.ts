import { and, eq, ne } from 'drizzle-orm';
import type { DepositTransaction } from '../../api/deposits/contract.ts';
import { readReceiversByCustody } from '../authority/shared/address-book.ts';
import { isCustodyAddress } from '../mints/evidence.ts';
import { fetchTransaction, type BitcoinTransaction } from '../platform/bitcoin/esplora.ts';
import type { RequestContext } from '../platform/services/context.ts';
import { deposits as table } from './tables.ts';

/** More custody outputs than anyone picks from. */
const maxOwnOutputs = 100;

type TransactionOutput = Extract<BitcoinTransaction, { state: 'found' }>['outputs'][number];

/** What a new deposit of this transaction can be filled in with. Nothing is filled in unless all sources that answer agree. */
export async function readDepositTransaction(
  { services, db }: Pick<RequestContext, 'services' | 'db'>,
  txid: string,
): Promise<DepositTransaction> {
  const { config } = services;
  const { esploraUrls, bitcoinNetwork: network } = config;
  const sources = await Promise.all(
    esploraUrls.map(async (url) => ({ name: new URL(url).host, seen: await fetchTransaction(url, txid) })),
  );
  const sourceResults = sources.map((source) => source.seen);
  const foundTransactions = sourceResults.flatMap((sourceResult) => (sourceResult.state === 'found' ? [sourceResult] : []));
  const verdictOfSources = judgeSources(sourceResults);
  const outputs = foundTransactions[0]?.outputs ?? [];
  const transactionFields = {
    txid,
    network,
    verdict: verdictOfSources,
    silent: sources.flatMap(({ name, seen: { state } }) => (state === 'unreachable' ? [name] : [])),
    mined: foundTransactions.length > 0 && foundTransactions.every(({ isMined }) => isMined),
    outputs: outputs.length,
    ours: [],
  };
  if (verdictOfSources !== 'found') return transactionFields;
  const custodyOutputs = outputs
    .flatMap(({ address, value }, vout) =>
      address !== null && isCustodyAddress(config, address) ? [{ vout, address, amount: value.toString() }] : [],
    )
    .slice(0, maxOwnOutputs);
  const isOfTransaction = and(eq(table.network, network), eq(table.txid, txid), ne(table.mintStatus, 'closed'));
  const [knownDeposits, receivers] = await Promise.all([
    db.select({ id: table.id, vout: table.vout }).from(table).where(isOfTransaction),
    readReceiversByCustody(
      services,
      db,
      custodyOutputs.map(({ address }) => address),
    ),
  ]);
  return {
    ...transactionFields,
    ours: custodyOutputs.map((output) => ({
      ...output,
      known: knownDeposits.find(({ vout }) => vout === output.vout)?.id ?? null,
      receivers: [...(receivers.get(output.address) ?? [])],
    })),
  };
}

function judgeSources(sourceResults: readonly BitcoinTransaction[]): DepositTransaction['verdict'] {
  if (sourceResults.length === 0) return 'noSource';
  const foundTransactions = sourceResults.flatMap((sourceResult) => (sourceResult.state === 'found' ? [sourceResult] : []));
  const haveAllState = (state: BitcoinTransaction['state']) =>
    sourceResults.every((sourceResult) => sourceResult.state === state);
  const [firstTransaction] = foundTransactions;
  if (!firstTransaction) return haveAllState('missing') ? 'missing' : 'unreachable';
  if (foundTransactions.some(({ outputs }) => !haveSameOutputs(outputs, firstTransaction.outputs))) return 'disagree';
  return sourceResults.some(({ state }) => state === 'missing') ? 'partial' : 'found';
}

const haveSameOutputs = (a: readonly TransactionOutput[], b: readonly TransactionOutput[]): boolean =>
  a.length === b.length && a.every(({ address, value }, index) => address === b[index]?.address && value === b[index]?.value);
