import {
  address,
  amount,
  choice,
  commonFields,
  count,
  hash,
  number,
  recordField,
  technical,
  time,
  type RecordedFields,
} from '../../lib/ui/record/fields.ts';

export const recorded = {
  withdrawal: {
    amount: amount('withdrawals.field.amount', 'BTC'),
    receiver: address('withdrawals.field.receiver'),
    address: address('withdrawals.field.address'),
    txid: hash('withdrawals.field.txid'),
    status: choice('withdrawals.field.status', 'withdrawals.status'),
    nonce: number('withdrawals.field.nonce'),
    requestHash: hash('withdrawals.field.requestHash'),
    confirmHash: hash('withdrawals.field.confirmHash'),
    coolsUntil: time('withdrawals.field.coolsUntil'),
    call: recordField('record.field.call', {
      chainId: number('record.field.chainId'),
      from: address('record.field.from'),
      to: address('record.field.contract'),
      data: technical,
    }),
    missing: count('record.field.missing'),
    statement: technical,
    depositId: technical,
    ...commonFields,
  },
} as const satisfies RecordedFields;
