import {
  address,
  amount,
  choiceField,
  commonFields,
  count,
  hash,
  number,
  recordField,
  technicalField,
  time,
  type RecordedFields,
} from '../../lib/ui/record/fields.ts';

export const recorded = {
  withdrawal: {
    amount: amount('withdrawals.field.amount', 'BTC'),
    receiver: address('withdrawals.field.receiver'),
    address: address('withdrawals.field.address'),
    txid: hash('withdrawals.field.txid'),
    status: choiceField('withdrawals.field.status', 'withdrawals.status'),
    nonce: number('withdrawals.field.nonce'),
    requestHash: hash('withdrawals.field.requestHash'),
    confirmHash: hash('withdrawals.field.confirmHash'),
    coolsUntil: time('withdrawals.field.coolsUntil'),
    call: recordField('record.field.call', {
      chainId: number('record.field.chainId'),
      from: address('record.field.from'),
      to: address('record.field.contract'),
      data: technicalField,
    }),
    missing: count('record.field.missing'),
    statement: technicalField,
    depositId: technicalField,
    ...commonFields,
  },
} as const satisfies RecordedFields;
