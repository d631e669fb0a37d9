export const airdrops = {
  count: ({ count }: { count: number }) => (count === 1 ? '1 airdrop' : `${count} airdrops`),
  title: 'NFT Airdrop Manage',
  none: 'No airdrops yet',
  empty: 'Berries, NFT number, level and stage for each address.',
  search: 'Search address…',
  field: {
    address: 'Address',
    berries: 'Berries',
    nftNumber: 'NFT number',
    nftLevel: 'NFT level',
    stage: 'Stage',
    createdAt: 'Created',
    updatedAt: 'Updated',
    importId: 'Import',
    importLine: 'Import line',
  },
  exporting: 'Exporting {{n}} of {{of}}',
  exported: ({ count }: { count: number }) => (count === 1 ? 'Exported 1 row' : `Exported ${count} rows`),
  kinds: {
    airdrop: 'NFT airdrop',
    airdropsExport: 'Airdrops export',
  },
  ask: {
    delete: {
      title: ({ count }: { count: number }) => (count === 1 ? 'Delete this airdrop?' : `Delete these ${count} airdrops?`),
      act: ({ count }: { count: number }) => (count === 1 ? 'Delete 1 airdrop' : `Delete ${count} airdrops`),
      body: 'Removes it from the list. You can undo this or restore it from the audit log.',
    },
    restore: { title: 'Restore this version?', act: 'Restore this version', body: 'It is saved as a new edit.' },
    startImport: { title: 'Start importing airdrops?', act: 'Start the import' },
    undoImport: { title: 'Undo this entire import?', act: 'Undo the import', body: 'Deletes all imported airdrops.' },
  },
};
