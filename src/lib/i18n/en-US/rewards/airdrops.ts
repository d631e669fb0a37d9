import { countText } from '../../plural.ts';

export const airdrops = {
  count: ({ count }: { count: number }) => countText(count, 'airdrop'),
  title: 'NFT Airdrop Manage',
  none: 'No airdrops yet',
  empty: 'Manage the berries, NFT number, level and stage of each address.',
  search: 'Search addresses…',
  field: {
    address: 'Address',
    berries: 'Berries',
    nftNumber: 'NFT number',
    nftLevel: 'NFT level',
    stage: 'Stage',
    createdAt: 'Created',
    updatedAt: 'Updated',
    importId: 'Import',
    importLine: 'Row in file',
  },
  exporting: 'Exporting {{n}} of {{of}}',
  exported: ({ count }: { count: number }) => `Exported ${countText(count, 'row')}`,
  kinds: {
    airdrop: 'NFT airdrop',
    airdropsExport: 'Airdrops export',
  },
  ask: {
    delete: {
      title: ({ count }: { count: number }) => (count === 1 ? 'Delete this airdrop?' : `Delete these ${count} airdrops?`),
      act: ({ count }: { count: number }) => (count === 1 ? 'Delete airdrop' : `Delete ${countText(count, 'airdrop')}`),
      body: 'Deleted airdrops disappear from the list. You can undo this or restore the airdrops from the audit log.',
    },
    restore: { title: 'Restore this version?', act: 'Restore this version', body: 'Saves this version as a new edit.' },
    startImport: { title: 'Start importing airdrops?', act: 'Start import' },
    undoImport: { title: 'Undo this entire import?', act: 'Undo import', body: 'Deletes all imported airdrops.' },
  },
};
