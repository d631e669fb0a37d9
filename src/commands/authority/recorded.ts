import {
  address,
  amount,
  choiceField,
  count,
  differenceField,
  duration,
  flagField,
  freezeField,
  hash,
  listField,
  number,
  recordField,
  recordsField,
  role,
  statementField,
  technicalField,
  text,
  type RecordedFields,
  type RecordFields,
} from '../../lib/ui/record/fields.ts';

const band = {
  from: amount('record.field.amountFrom', 'BTC'),
  below: amount('record.field.amountBelow', 'BTC'),
  approvals: count('authority.band.people'),
  role: role('authority.band.ofRole'),
  perDay: amount('authority.band.limit', 'BTC'),
  delaySeconds: duration('authority.band.wait'),
} as const satisfies RecordFields;

const policy = {
  root: count('authority.field.root'),
  coolingSeconds: duration('record.field.cooling'),
  bands: recordsField('authority.field.bands', band),
  refundBands: recordsField('signing.field.refundBands', band),
} as const;

const key = recordField('authority.field.keyType', {
  type: choiceField('authority.field.keyType', 'authority.key'),
  address: address('record.field.address'),
  credential: technicalField,
  publicKey: technicalField,
});

const approver = {
  name: text('authority.field.name'),
  roles: listField('authority.field.roles', { as: 'role' }),
  key,
  person: technicalField,
} as const;

/** All that statements say, whatever their kind: a field means the same in each. */
const content = {
  ...approver,
  ...policy,
  institution: text('authority.field.institution'),
  satoshi: amount('authority.field.amount', 'BTC'),
  address: address('authority.field.address'),
  receiver: address('authority.field.receiver'),
  custody: listField('authority.field.custody', { as: 'address' }),
  payout: listField('signing.field.payoutOf', { as: 'address' }),
  receivers: choiceField('authority.field.receiversRule', 'authority.receiversRule'),
  note: text('authority.field.note'),
  reason: text('authority.field.reason'),
  freeze: freezeField('authority.field.freeze'),
  difference: differenceField('authority.field.difference'),
  authors: listField('authority.field.authors', { as: 'person' }),
  policy: statementField('authority.field.policy'),
  txid: hash('authority.field.deposit'),
  vout: number('record.field.vout'),
  network: choiceField('authority.field.network', 'value.network'),
  chainId: number('authority.field.chainId'),
  account: address('authority.field.account'),
  nonce: number('signing.field.firstNonce'),
  token: address('authority.field.token'),
  bridge: address('authority.field.bridge'),
} as const satisfies RecordFields;

export const recorded = {
  statement: {
    number: statementField('record.field.statement'),
    kind: choiceField('authority.field.kind', 'authority.kind'),
    content: recordField('authority.content', content),
    heard: flagField('signing.field.heard'),
  },
} as const satisfies RecordedFields;
