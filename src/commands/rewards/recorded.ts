import {
  address,
  choice,
  commonFields,
  count,
  exportFields,
  number,
  technical,
  text,
  type RecordedFields,
} from '../../lib/ui/record/fields.ts';
import { airdropShape } from './airdrop-filters.ts';
import { balanceShape, entryShape } from './points-filters.ts';

const imported = {
  importId: technical,
  importLine: number('record.field.importLine'),
} as const;

export const recorded = {
  points: {
    address: address('points.field.address'),
    berries: count('points.field.berries'),
    balance: count('points.field.balance'),
    reason: text('points.field.reason'),
    source: choice('points.field.source', 'points.source'),
    actorEmail: text('points.field.actor'),
    reverses: technical,
    reversedBy: technical,
    ...imported,
    ...commonFields,
  },
  airdrop: {
    address: address('airdrops.field.address'),
    berries: count('airdrops.field.berries'),
    nftNumber: number('airdrops.field.nftNumber'),
    nftLevel: number('airdrops.field.nftLevel'),
    stage: text('airdrops.field.stage'),
    ...imported,
    ...commonFields,
  },
  pointsExport: exportFields(entryShape.filters, 'points.field'),
  balancesExport: exportFields(balanceShape.filters, 'points.field'),
  airdropsExport: exportFields(airdropShape.filters, 'airdrops.field'),
} as const satisfies RecordedFields;
