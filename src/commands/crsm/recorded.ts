import { commandName } from '../../lib/ui/record/done-by.ts';
import {
  address,
  amount,
  called,
  choice,
  hash,
  number,
  percent,
  technical,
  text,
  time,
  type Recorded,
  type RecordFields,
} from '../../lib/ui/record/fields.ts';

/** Arguments of the calls and events of CRSMs, by the contracts' names for them. */
export const callArguments = {
  TRGCR: percent('record.field.TRGCR'),
  TARCR: percent('record.field.TARCR'),
  MAX_TARCR: percent('record.field.MAX_TARCR'),
  debtGasCompensation: amount('crsm.field.debtGasCompensation', 'YU'),
  amount: amount('record.field.amount', 'YU'),
  claimed: amount('record.field.claimed', 'YU'),
  gains: amount('record.field.claimed', 'YBTC'),
  from: address('record.field.from'),
  to: address('record.field.to'),
  account: address('record.field.account'),
  depositor: address('record.field.depositor'),
  recipient: address('record.field.to'),
  collateral: address('record.field.token'),
  token: address('record.field.token'),
  crsm: address('crsm.field.crsm'),
  tokenId: number('record.field.number'),
  troveId: number('crsm.field.troveId'),
  troveManager: address('crsm.field.troveManager'),
  previousOwner: address('record.field.ownerBefore'),
  newOwner: address('record.field.ownerAfter'),
} as const satisfies RecordFields;

/** What the audit holds of the wallet calls for CRSMs. */
export const recorded = {
  crsm: {
    action: called('record.field.action', (action) => commandName(`crsm.${action}`)),
    state: choice('record.field.state', 'crsm.state'),
    crsm: address('crsm.field.crsm'),
    args: { as: 'arguments', fields: callArguments, label: 'record.field.arguments' },
    hash: hash('record.field.transaction'),
    from: address('record.field.from'),
    to: address('record.field.contract'),
    chainId: number('record.field.chainId'),
    by: text('record.field.by'),
    at: time('record.field.at'),
    functionName: technical,
    data: technical,
    id: technical,
  },
} as const satisfies Recorded;
