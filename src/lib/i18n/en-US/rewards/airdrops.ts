export const airdrops = {
  count: ({ count }: { count: number }) => (count === 1 ? '1 airdrop' : `${count} airdrops`),
  title: 'NFT Airdrop Manage',
  none: 'No airdrops yet',
  empty: "Each address's berries, NFT number, level and stage are kept here.",
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
      body: 'It leaves the list. It can be undone, or restored from the audit log.',
    },
    restore: { title: 'Restore this version?', act: 'Restore this version', body: 'It is saved as a new edit.' },
    startImport: { title: 'Start importing airdrops?', act: 'Start the import' },
    undoImport: { title: 'Undo this import as a whole?', act: 'Undo the import', body: 'All airdrops it brought are deleted.' },
  },
};
