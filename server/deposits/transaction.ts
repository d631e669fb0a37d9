import { and, eq, ne } from 'drizzle-orm';
import type { DepositTransaction } from '../../api/deposits/contract.ts';
import { receiversFor } from '../authority/shared/address-book.ts';
import { isCustodyAddress } from '../mints/evidence.ts';
import { fetchTransaction, type BitcoinTransaction } from '../platform/bitcoin/esplora.ts';
import type { RequestContext } from '../platform/services/context.ts';
import { deposits as table } from './tables.ts';

/** More custody outputs than anyone picks from. */
const maxOwnOutputs = 100;

type Output = Extract<BitcoinTransaction, { state: 'found' }>['outputs'][number];

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
  const seen = sources.map((source) => source.seen);
  const found = seen.flatMap((one) => (one.state === 'found' ? [one] : []));
  const verdict = verdictOf(seen);
  const outputs = found[0]?.outputs ?? [];
  const answer = {
    txid,
    network,
    verdict,
    silent: sources.flatMap(({ name, seen: { state } }) => (state === 'unreachable' ? [name] : [])),
    mined: found.length > 0 && found.every(({ isMined }) => isMined),
    outputs: outputs.length,
    ours: [],
  };
  if (verdict !== 'found') return answer;
  const ours = outputs
    .flatMap(({ address, value }, vout) =>
      address !== null && isCustodyAddress(config, address) ? [{ vout, address, amount: value.toString() }] : [],
    )
    .slice(0, maxOwnOutputs);
  const isOfTransaction = and(eq(table.network, network), eq(table.txid, txid), ne(table.mintStatus, 'closed'));
  const [known, receivers] = await Promise.all([
    db.select({ id: table.id, vout: table.vout }).from(table).where(isOfTransaction),
    receiversFor(
      services,
      db,
      ours.map(({ address }) => address),
    ),
  ]);
  return {
    ...answer,
    ours: ours.map((output) => ({
      ...output,
      known: known.find(({ vout }) => vout === output.vout)?.id ?? null,
      receivers: [...(receivers.get(output.address) ?? [])],
    })),
  };
}

function verdictOf(seen: readonly BitcoinTransaction[]): DepositTransaction['verdict'] {
  if (seen.length === 0) return 'noSource';
  const found = seen.flatMap((one) => (one.state === 'found' ? [one] : []));
  const isAllOf = (state: BitcoinTransaction['state']) => seen.every((one) => one.state === state);
  const [first] = found;
  if (!first) return isAllOf('missing') ? 'missing' : 'unreachable';
  if (found.some(({ outputs }) => !areSameOutputs(outputs, first.outputs))) return 'disagree';
  return seen.some(({ state }) => state === 'missing') ? 'partial' : 'found';
}

const areSameOutputs = (a: readonly Output[], b: readonly Output[]): boolean =>
  a.length === b.length && a.every(({ address, value }, at) => address === b[at]?.address && value === b[at]?.value);
