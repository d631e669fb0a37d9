import {
  address,
  choiceField,
  commonFields,
  count,
  exportFields,
  number,
  technicalField,
  text,
  type RecordedFields,
} from '../../lib/ui/record/fields.ts';
import { airdropShape } from './airdrop-filters.ts';
import { balanceShape, entryShape } from './points-filters.ts';

const importFields = {
  importId: technicalField,
  importLine: number('record.field.importLine'),
} as const;

export const recorded = {
  points: {
    address: address('points.field.address'),
    berries: count('points.field.berries'),
    balance: count('points.field.balance'),
    reason: text('points.field.reason'),
    source: choiceField('points.field.source', 'points.source'),
    actorEmail: text('points.field.actor'),
    reverses: technicalField,
    reversedBy: technicalField,
    ...importFields,
    ...commonFields,
  },
  airdrop: {
    address: address('airdrops.field.address'),
    berries: count('airdrops.field.berries'),
    nftNumber: number('airdrops.field.nftNumber'),
    nftLevel: number('airdrops.field.nftLevel'),
    stage: text('airdrops.field.stage'),
    ...importFields,
    ...commonFields,
  },
  pointsExport: exportFields(entryShape.filters, 'points.field'),
  balancesExport: exportFields(balanceShape.filters, 'points.field'),
  airdropsExport: exportFields(airdropShape.filters, 'airdrops.field'),
} as const satisfies RecordedFields;
