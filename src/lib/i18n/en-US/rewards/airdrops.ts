import { createNouns } from '../../nouns.ts';
export const airdrops = {
  ...createNouns('airdrop'),
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
  kinds: {
    airdrop: 'NFT airdrop',
    airdropsExport: 'Airdrops export',
  },
  ask: {
    delete: { body: 'Deleted airdrops disappear from the list. You can undo this or restore the airdrops from the audit log.' },
    startImport: { title: 'Start importing airdrops?' },
    undoImport: { body: 'Deletes all imported airdrops.' },
  },
};
