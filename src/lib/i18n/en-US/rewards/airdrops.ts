export const airdrops = {
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
};
