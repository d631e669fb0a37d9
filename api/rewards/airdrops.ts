import * as z from 'zod/mini';
import type { FilterOf } from '../filter.ts';
import { airdropFilters } from './filters.ts';
import {
  bulkOutput,
  deletedOutput,
  exportInput,
  exportOutput,
  filterInput,
  idSchema,
  itemsInput,
  matchingInput,
  matchingOutput,
  route,
  textSchema,
  versionSchema,
} from '../base.ts';
import { evmAddressSchema } from '../evm.ts';
import { historyRoutes, restoreInput } from '../history.ts';
import type { Name } from '../naming.ts';
import { maxBerries } from './points.ts';
import { integerSchema, countSchema } from '../integer-fields.ts';
import { listRoutes } from '../list.ts';

export const airdropFields = z.strictObject({
  address: evmAddressSchema(),
  berries: integerSchema({ min: 0n, max: maxBerries }),
  nftNumber: countSchema(),
  nftLevel: countSchema(),
  stage: textSchema(100),
});
export type AirdropFields = z.infer<typeof airdropFields>;

/** `each`: values by id, for an undo. */
export const airdropLevelFields = z.strictObject({
  nftLevel: countSchema(),
  each: z.optional(z.record(idSchema(), countSchema())),
});
export const airdropStageFields = z.strictObject({
  stage: textSchema(100),
  each: z.optional(z.record(idSchema(), textSchema(100))),
});

export const airdropRow = z.object({
  id: idSchema(),
  version: versionSchema(),
  address: z.string(),
  berries: z.string(),
  nftNumber: z.int(),
  nftLevel: z.int(),
  stage: z.string(),
  importId: z.nullable(z.string()),
  importLine: z.nullable(z.int()),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type AirdropRow = z.infer<typeof airdropRow>;

export const airdropSorts = ['createdAt', 'berries'] as const;
export type AirdropSort = (typeof airdropSorts)[number];

export const airdropFilter = filterInput(airdropFilters);
export type AirdropFilter = FilterOf<typeof airdropFilters>;

export const airdropColumns = {
  address: { zh: '地址', en: 'Address' },
  berries: { zh: '积分', en: 'Berries' },
  nftNumber: { zh: 'NFT 数量', en: 'NFT number' },
  nftLevel: { zh: 'NFT 等级', en: 'NFT level' },
  stage: { zh: '阶段', en: 'Stage' },
} as const satisfies Record<keyof AirdropFields, Name>;

export const airdropsExport = exportInput(airdropSorts, airdropFilter);

export const airdrops = {
  ...listRoutes('/NFTAirdrop', {
    menu: '/NFTAirdrop',
    id: idSchema(),
    row: airdropRow,
    sorts: airdropSorts,
    filters: airdropFilters,
  }),
  matching: route
    .meta({ menu: '/NFTAirdrop' })
    .route({ method: 'POST', path: '/NFTAirdrop/matching' })
    .input(matchingInput(airdropFilter))
    .output(matchingOutput()),
  add: route
    .meta({ permission: 'airdrops.add' })
    .route({ method: 'POST', path: '/NFTAirdrop' })
    .input(airdropFields)
    .output(airdropRow),
  edit: route
    .meta({ permission: 'airdrops.edit' })
    .route({ method: 'PUT', path: '/NFTAirdrop' })
    .input(z.extend(airdropFields, { id: idSchema(), version: versionSchema() }))
    .output(airdropRow),
  setLevel: route
    .meta({ permission: 'airdrops.setLevel' })
    .route({ method: 'POST', path: '/NFTAirdrop/level' })
    .input(z.extend(airdropLevelFields, { items: itemsInput() }))
    .output(bulkOutput(airdropRow)),
  setStage: route
    .meta({ permission: 'airdrops.setStage' })
    .route({ method: 'POST', path: '/NFTAirdrop/stage' })
    .input(z.extend(airdropStageFields, { items: itemsInput() }))
    .output(bulkOutput(airdropRow)),
  remove: route
    .meta({ permission: 'airdrops.delete' })
    .route({ method: 'POST', path: '/NFTAirdrop/delete' })
    .input(z.strictObject({ items: itemsInput() }))
    .output(bulkOutput(deletedOutput())),
  ...historyRoutes('/NFTAirdrop'),
  restore: route
    .meta({ permission: 'airdrops.restore' })
    .route({ method: 'POST', path: '/NFTAirdrop/restore' })
    .input(restoreInput)
    .output(airdropRow),
  export: route
    .meta({ permission: 'airdrops.export' })
    .route({ method: 'POST', path: '/NFTAirdrop/export' })
    .input(airdropsExport)
    .output(exportOutput),
};
