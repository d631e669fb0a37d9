import { expect, test } from '../fixtures.ts';

/** Columns that the specification names, by the path of their list. */
const specified: Record<string, readonly string[]> = {
  '/news': ['title', 'description', 'image', 'time', 'link', 'status'],
  '/feedback': ['time', 'email', 'pictures', 'content', 'status'],
  '/notices': ['creator', 'content', 'link', 'status', 'platform'],
  '/statistics/dataView': ['page', 'at', 'country', 'chainId', 'btcDeposited', 'yuMinted', 'address', 'vaultId'],
  '/statistics/datacaptain': ['captain', 'yuMinted', 'size'],
  '/statistics/data0penBox': ['time', 'captain', 'members', 'captainBerries', 'totalBerries'],
  '/NFTAirdrop': ['address', 'berries', 'nftNumber', 'nftLevel', 'stage'],
  '/permissions/administrator': ['email', 'roles', 'status', 'description'],
  '/permissions/role': ['name', 'description', 'permissions'],
  '/selfCustody/deposit': ['userAddress', 'amount', 'coboAddress', 'txid', 'remarks', 'type', 'lockTime', 'status', 'mintStatus'],
  '/selfCustody/withdraw': ['receiver', 'requestHash', 'status', 'coolsUntil', 'nonce', 'amount'],
  '/selfCustody/dataPanel': [
    'name',
    'account',
    'btc',
    'pendingBtc',
    'multisig',
    'collateral',
    'debt',
    'yuInPool',
    'yuInWallet',
    'claimableYbtc',
    'claimableYu',
    'crsm',
    'trigger',
    'target',
    'maxTarget',
  ],
};

for (const locale of ['zh-CN', 'en-US'] as const) {
  test.describe(locale, () => {
    test.use({ locale, serverEnv: { DEVNET: 'on' } });
    test(`every specified column is in view at 1440 px without scrolling, with its whole name, in ${locale}`, async ({
      admin,
      page,
      store,
    }) => {
      await store.withdrawal(await store.deposit({ status: 'confirmed', mintStatus: 'done' }));
      await admin.signIn('all');
      for (const [path, columns] of Object.entries(specified)) {
        await page.goto(new URL(path, page.url()).href);
        await expect(page.locator('[role="grid"] [data-head]').first(), path).toBeVisible();
        const inView = await page.evaluate(() => {
          const grid = document.querySelector('[role="grid"]')?.getBoundingClientRect();
          return [...document.querySelectorAll<HTMLElement>('[role="grid"] [data-head]')].flatMap((head) => {
            const { left, right } = head.getBoundingClientRect();
            const name = head.querySelector('.line-clamp-1,.line-clamp-2');
            const isWhole = name !== null && name.scrollHeight <= name.clientHeight + 1;
            const isIn = grid !== undefined && left >= grid.left && right <= grid.right;
            return isIn && isWhole && getComputedStyle(head).opacity !== '0' ? [head.dataset['head'] ?? ''] : [];
          });
        });
        expect.soft(inView, path).toEqual(expect.arrayContaining([...columns]));
      }
    });
  });
}
