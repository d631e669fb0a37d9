import {
  address,
  amount,
  choice,
  common,
  count,
  flag,
  hash,
  number,
  record,
  records,
  statement,
  technical,
  text,
  time,
  type Recorded,
} from '../../lib/ui/record/fields.ts';

/** What the Bitcoin sources said when a deposit was signed. */
const evidence = record('deposits.evidence.title', {
  verdict: choice('record.field.verdict', 'deposits.evidence.verdict'),
  required: count('record.field.confirmationsRequired'),
  sources: records('record.field.sources', {
    name: text('record.field.source'),
    state: choice('record.field.answer', 'deposits.evidence.state'),
    address: address('record.field.address'),
    amount: amount('record.field.amount', 'BTC'),
    confirmations: count('record.field.confirmations'),
    height: number('record.field.height'),
    coinbase: flag('record.field.coinbase'),
    spent: flag('record.field.spent'),
    blockHash: technical,
    reason: technical,
  }),
});

/** What the audit holds of deposits and their mints. */
export const recorded = {
  deposit: {
    amount: amount('deposits.field.amount', 'BTC'),
    userAddress: address('deposits.field.userAddress'),
    coboAddress: address('deposits.field.coboAddress'),
    txid: hash('deposits.field.txid'),
    vout: number('deposits.field.vout'),
    network: choice('deposits.field.network', 'value.network'),
    type: choice('deposits.field.type', 'deposits.type'),
    lockTime: time('deposits.field.lockTime'),
    remarks: text('deposits.field.remarks'),
    status: choice('deposits.field.status', 'deposits.status'),
    mintStatus: choice('deposits.field.mintStatus', 'deposits.mintStatus'),
    withdrawStatus: choice('deposits.field.withdrawStatus', 'record.withdrawStatus'),
    modifiedEmail: text('deposits.field.modifiedEmail'),
    confirmedAt: time('deposits.field.confirmedAt'),
    reason: text('deposits.field.reason'),
    number: statement('record.field.statement'),
    missing: count('record.field.missing'),
    evidence,
    confirmedHash: technical,
    statement: technical,
    ...common,
  },
  mint: {
    state: choice('record.field.state', 'deposits.state'),
    nonce: number('deposits.mint.nonce'),
    hash: hash('deposits.mint.hash'),
    problem: choice('deposits.mint.problem', 'deposits.problem'),
  },
} as const satisfies Recorded;
