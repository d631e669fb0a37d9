import { randomBytes } from 'node:crypto';
import type { Locator, Page } from 'playwright/test';
import {
  createTestClient,
  createWalletClient,
  getAddress,
  http,
  parseEther,
  publicActions,
  type Abi,
  type Address,
  type HDAccount,
} from 'viem';
import { foundry } from 'viem/chains';
import type { EvmChainInfo } from '../api/custody/chain.ts';
import { borrowerOperationsAbi } from '../chain/abi/borrower-operations.ts';
import { crsmAbi } from '../chain/abi/crsm.ts';
import { crsmFactoryAbi } from '../chain/abi/crsm-factory.ts';
import { crsmUtilsAbi } from '../chain/abi/crsm-utils.ts';
import { priceFeedAbi } from '../chain/abi/price-feed.ts';
import { troveManagerAbi } from '../chain/abi/trove-manager.ts';
import { ybtcAbi } from '../chain/abi/ybtc.ts';
import { yuAbi } from '../chain/abi/yu.ts';
import { devnetAccounts, devnetContracts, devnetParameters } from '../chain/deploy.ts';
import { expect, test, type Admin } from './fixtures.ts';
import { axeViolations } from './support/axe.ts';
import { injectEvmWallet, type InjectedEvmWallet } from './support/evm-wallet.ts';

// On the server's devnet, with a wallet that signs with a real key. Results are read back from the
// chain by an independent client.
test.use({ serverEnv: { DEVNET: 'on' }, locale: 'en-US' });

const list = '/CRSMTrove/CRSMList';
const positionList = '/CRSMTrove/positionList';
// The devnet's scenario does not use these two.
const { borrower } = devnetAccounts;
const stranger = devnetAccounts.operators[4] as HDAccount;
const { yu, ybtc, crsmFactory, crsmUtils, troveManager, borrowerOperations, priceFeed } = devnetContracts;
const percent = (value: number): string => String(BigInt(Math.round(value * 100)) * 10n ** 14n);
const wei = (value: string): string => parseEther(value).toString();
const ratios = { TRGCR: percent(130), TARCR: percent(150), MAX_TARCR: percent(160) };

async function chainOf(admin: Admin) {
  const authorization = await admin.page.evaluate(() => localStorage.getItem('Authorization') ?? '');
  const response = await admin.page.request.get(`${admin.url}/api/chain`, { headers: { authorization } });
  const rpcUrl = ((await response.json()) as EvmChainInfo).rpcUrl ?? '';
  const transport = http(rpcUrl);
  const client = createTestClient({ mode: 'anvil', chain: foundry, transport, pollingInterval: 100 }).extend(publicActions);
  const by = async (account: HDAccount, address: Address, abi: Abi, functionName: string, args: unknown[] = []) => {
    const hash = await createWalletClient({ account, chain: foundry, transport }).writeContract({
      address,
      abi,
      functionName,
      args,
      gas: 5_000_000n, // an estimate in a block without interest is too low for the next block
    });
    const { status } = await client.waitForTransactionReceipt({ hash });
    expect(status, functionName).toBe('success');
  };
  const ofClone = (address: Address) => ({ address, abi: crsmAbi }) as const;
  return {
    rpcUrl,
    by,
    async openTrove(account: HDAccount, collateral: string, debt: string): Promise<bigint> {
      const coll = parseEther(collateral);
      await by(devnetAccounts.minter, ybtc, ybtcAbi, 'mint', [`0x${randomBytes(32).toString('hex')}`, account.address, coll]);
      await by(account, ybtc, ybtcAbi, 'approve', [borrowerOperations, coll]);
      await by(account, borrowerOperations, borrowerOperationsAbi, 'openTrove', [
        troveManager,
        account.address,
        coll,
        parseEther(debt),
      ]);
      const manager = { address: troveManager, abi: troveManagerAbi } as const;
      const count = await client.readContract({ ...manager, functionName: 'balanceOf', args: [account.address] });
      return client.readContract({ ...manager, functionName: 'tokenOfOwnerByIndex', args: [account.address, count - 1n] });
    },
    setPrice: (price: string) => by(devnetAccounts.deployer, priceFeed, priceFeedAbi, 'setPrice', [parseEther(price)]),
    liquidate: (id: bigint) => by(devnetAccounts.deployer, troveManager, troveManagerAbi, 'batchLiquidate', [[id]]),
    /** Interest accrues while time passes. */
    async wait(seconds: number) {
      await client.increaseTime({ seconds });
      await by(devnetAccounts.deployer, crsmUtils, crsmUtilsAbi, 'getCRSM', [0n, 10n]);
    },
    newest: async (): Promise<Address> => {
      const factory = { address: crsmFactory, abi: crsmFactoryAbi } as const;
      const count = await client.readContract({ ...factory, functionName: 'totalSupply' });
      const token = await client.readContract({ ...factory, functionName: 'tokenByIndex', args: [count - 1n] });
      return client.readContract({ ...factory, functionName: 'crsms', args: [token] });
    },
    stateOf: (crsm: Address) => client.readContract({ ...ofClone(crsm), functionName: 'getState' }),
    pendingOf: (crsm: Address) => client.readContract({ ...ofClone(crsm), functionName: 'pendingDebtGasCompensation' }),
    debtOf: async (id: bigint) => {
      const args = [id] as const;
      const trove = await client.readContract({
        address: troveManager,
        abi: troveManagerAbi,
        functionName: 'getCurrentTrove',
        args,
      });
      return trove.debt + trove.interest;
    },
    yuOf: (account: Address) => client.readContract({ address: yu, abi: yuAbi, functionName: 'balanceOf', args: [account] }),
    ybtcOf: (account: Address) =>
      client.readContract({ address: ybtc, abi: ybtcAbi, functionName: 'balanceOf', args: [account] }),
  };
}
type Chain = Awaited<ReturnType<typeof chainOf>>;

interface Stage {
  chain: Chain;
  wallet: InjectedEvmWallet;
  position: string;
  troveId: bigint;
}

async function stage(admin: Admin): Promise<Stage> {
  await admin.signIn('operator', positionList);
  const chain = await chainOf(admin);
  await chain.setPrice('100000');
  const troveId = await chain.openTrove(borrower, '2', '100000');
  const wallet = await injectEvmWallet(admin.page, chain.rpcUrl, borrower);
  await admin.open(positionList);
  await admin.run('evm.connect', { params: { wallet: wallet.id } });
  const position = `${troveManager}-${troveId}`;
  await shown(admin, position);
  return { chain, wallet, position, troveId };
}

/** Waits until the panel knows the position. */
const shown = (admin: Admin, position: string) =>
  expect
    .poll(
      () =>
        admin.run('crsm.openPosition', { targets: [position] }).then(
          () => 'there',
          ({ code }: { code: string }) => code,
        ),
      {
        timeout: 20_000,
      },
    )
    .toBe('there');

async function create(admin: Admin, { chain, position }: Stage, amount = '40000', reward = '0'): Promise<Address> {
  const params = { ...ratios, debtGasCompensation: wei(reward), amount: wei(amount) };
  await admin.run('crsm.create', { targets: [position], params, confirm: true });
  return chain.newest();
}

const openCrsm = (admin: Admin, crsm: Address) => admin.open(`${list}?open=${crsm}`);
const record = (page: Page): Locator => page.locator('[data-record]');
const review = (page: Page): Locator => page.getByRole('alertdialog');
const said = (page: Page): Locator => review(page).locator('[data-consequences]');
const figure = (page: Page, name: string): Locator => review(page).locator(`[data-figure="${name}"]`);
const lower = (address: string) => address.toLowerCase();

test('a CRSM created by palette and form has the reviewed values on chain', { tag: '@long' }, async ({ admin, page }) => {
  test.setTimeout(120_000);
  const { chain, wallet, position, troveId } = await stage(admin);
  await admin.open(`${positionList}?open=${position}`);
  await expect(record(page)).toContainText(borrower.address);
  await admin.palette('crsm.create');
  const form = page.getByRole('dialog').filter({ has: page.locator('form') });
  const field = (name: string) => form.getByRole('textbox', { name });
  await expect(field('TRGCR(%)').first()).toBeFocused();
  await page.keyboard.type('130');
  await page.keyboard.press('Tab');
  await page.keyboard.type('125');
  await page.keyboard.press('Tab');
  await page.keyboard.type('160');
  await expect(form).toContainText('> 110%');
  await page.keyboard.press('Control+Enter');
  await expect(form).toContainText('MCR < TRGCR < TARCR ≤ MAX_TARCR');
  await field('TARCR(%)').nth(0).press('ControlOrMeta+a');
  const target = form.locator('input').nth(1);
  await target.fill('150');
  const amount = form.getByRole('textbox', { name: 'Amount' });
  await form
    .getByRole('button', { name: /^Max: / })
    .last()
    .click();
  await expect(amount).toHaveValue('100000');
  await amount.fill('25000.5');
  await expect(form.locator('[data-figure="deposits"]')).toContainText('25,000.5');
  await amount.press('Control+Enter');

  for (const text of ['approve', crsmFactory, `25,000.5 YU (${wei('25000.5')})`, 'createNewCRSM', troveManager, String(troveId)])
    await expect(said(page).locator('[data-calls]')).toContainText(text);
  await expect(said(page)).toContainText(`130.00% (${percent(130)})`);
  await expect(said(page)).toContainText(borrower.address);
  await expect(said(page)).toContainText('The approval passed simulation');
  await expect(figure(page, 'deposits')).toContainText('25,000.5');
  await review(page).getByRole('button', { name: 'Create CRSM' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-toast]')).toContainText('Operation Successful', { timeout: 30_000 });
  const state = await chain.stateOf(await chain.newest());
  expect(state).toMatchObject({ troveId, owner: borrower.address, TRGCR: parseEther('1.3'), TARCR: parseEther('1.5') });
  expect(state).toMatchObject({ MAX_TARCR: parseEther('1.6'), deposits: parseEther('25000.5'), DEBT_GAS_COMPENSATION: 0n });
  expect(wallet.asked.map(({ to }) => lower(to))).toEqual([lower(yu), lower(crsmFactory)]);
  await expect(admin.runAny('crsm.create', { targets: [position], confirm: true })).rejects.toMatchObject({
    code: 'BLOCKED',
  });
});

test('creates a CRSM from the CRSM list for a position of the connected account', { tag: '@long' }, async ({ admin, page }) => {
  await admin.signIn('operator', list);
  const header = page.locator('main header');
  await header.getByRole('button', { name: /^Choose a position/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Account position list' })).toBeVisible();

  const { chain, troveId } = await stage(admin);
  await shown(admin, `${troveManager}-${await chain.openTrove(borrower, '2', '100000')}`);
  await admin.open(list);
  const button = header.getByRole('button', { name: /^Create CRSM/ });
  await expect(button).toHaveAttribute('aria-haspopup', 'menu');
  await button.click();
  await page.getByRole('menuitem', { name: `#${troveId} ·` }).click();
  await expect(page.getByRole('dialog', { name: /^Create CRSM/ }).getByRole('textbox', { name: 'Amount' })).toBeVisible();
});

test('deposit, withdrawal and claim work by key, mouse and script', async ({ admin, db, page }) => {
  test.setTimeout(180_000);
  const it = await stage(admin);
  const { chain, wallet } = it;
  const crsm = await create(admin, it);
  await openCrsm(admin, crsm);
  await expect(record(page).locator('[data-chart]')).toContainText('The ICR is 199.');

  await admin.key('crsm.deposit');
  const form = page.getByRole('dialog').filter({ has: page.locator('form') });
  await expect(form.getByRole('textbox', { name: 'Amount' })).toBeFocused();
  await page.keyboard.type('1000.25');
  await page.keyboard.press('Control+Enter');
  for (const text of ['deposit', crsm, `1,000.25 YU (${wei('1000.25')})`])
    await expect(said(page).locator('[data-calls]')).toContainText(text);
  await expect(figure(page, 'deposits')).toContainText('40,000.0000 YU41,000.2500 YU');
  await expect(figure(page, 'icr')).toContainText('Unchanged');
  await review(page).getByRole('button', { name: 'Deposit YU' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await chain.stateOf(crsm)).deposits, { timeout: 30_000 }).toBe(parseEther('41000.25'));
  await expect(record(page)).toContainText('41,000.25', { timeout: 15_000 });

  await record(page).locator('[data-command="crsm.withdrawFromSP"]').click();
  await form.getByRole('button', { name: 'Max: 41000.25 YU' }).click();
  await expect(form.getByRole('textbox', { name: 'Amount' })).toHaveValue('41000.25');
  await form.getByRole('textbox', { name: 'Amount' }).fill('1000.25');
  await expect(form.getByRole('textbox', { name: 'Receiving address' })).toHaveValue(borrower.address);
  await form.getByRole('textbox', { name: 'Receiving address' }).fill(lower(crsm));
  await expect(form.locator('[data-spelling]')).toContainText(crsm);
  await form.getByRole('button', { name: 'Withdraw YU from the stability pool' }).click();
  await expect(form).toContainText('must use its checksum capitalization (EIP-55)');
  await form.getByRole('textbox', { name: 'Receiving address' }).fill(crsm);
  await form.getByRole('button', { name: 'Withdraw YU from the stability pool' }).click();
  for (const text of ['withdrawFromSP', crsm, `1,000.25 YU (${wei('1000.25')})`])
    await expect(said(page).locator('[data-calls]')).toContainText(text);
  await expect(said(page)).toContainText('Simulation passed');
  await review(page).getByRole('button', { name: 'Withdraw YU from pool' }).click();
  await expect.poll(async () => (await chain.stateOf(crsm)).debtTokenBalance, { timeout: 30_000 }).toBe(parseEther('1000.25'));

  await expect(record(page)).toContainText('40,000.0', { timeout: 15_000 });

  const before = await chain.yuOf(stranger.address);
  const { value: withdrawn } = await admin.run('crsm.withdraw', {
    targets: [crsm],
    params: { to: stranger.address, amount: wei('1000.25') },
    confirm: true,
  });
  expect(await chain.yuOf(stranger.address)).toBe(before + parseEther('1000.25'));
  expect((await chain.stateOf(crsm)).debtTokenBalance).toBe(0n);
  expect(wallet.asked.at(-1)?.to && lower(wallet.asked.at(-1)?.to ?? '')).toBe(lower(crsm));

  const victim = await chain.openTrove(stranger, '0.03', '2000');
  await chain.wait(30 * 86_400);
  await chain.setPrice('76000');
  await chain.liquidate(victim);
  await chain.setPrice('100000');
  await admin.run('crsm.updateData', { targets: [crsm] });
  const due = await chain.stateOf(crsm);
  expect(due.yieldGains).toBeGreaterThan(0n);
  expect(due.collateralGains[0]).toBeGreaterThan(0n);
  const beneficiary = getAddress(`0x${randomBytes(20).toString('hex')}`);
  await admin.run('crsm.claimYield', { targets: [crsm], params: { to: beneficiary }, confirm: true });
  // Leaves gas for interest that falls due before mining.
  expect(BigInt(wallet.asked.at(-1)?.gas ?? 0)).toBeGreaterThan(300_000n);
  expect(await chain.yuOf(beneficiary)).toBeGreaterThanOrEqual(due.yieldGains);
  await admin.run('crsm.claimAllCollateralGains', { targets: [crsm], params: { to: beneficiary }, confirm: true });
  expect(await chain.ybtcOf(beneficiary)).toBe(due.collateralGains[0]);
  await expect(
    admin.run('crsm.claimAllCollateralGains', { targets: [crsm], params: { to: beneficiary }, confirm: true }),
  ).rejects.toMatchObject({ reason: 'crsm.blocked.nothingToClaim' });

  await expect
    .poll(async () => (await db.query('select state from crsm_calls where hash = $1', [withdrawn.hash])).rows[0]?.state, {
      timeout: 30_000,
    })
    .toBe('done');
  await expect(record(page).locator('[data-call]').first()).toContainText('Claim all collateral gains', { timeout: 15_000 });
  await expect(record(page).locator('[data-event="Withdrawn"]').first()).toContainText('1,000.25 YU', { timeout: 15_000 });
});

test(
  'ratios and reward are refused when out of order or too early, and accepted in time',
  { tag: '@long' },
  async ({ admin, page }) => {
    test.setTimeout(150_000);
    const it = await stage(admin);
    const { chain } = it;
    const crsm = await create(admin, it, '0');
    const on = { targets: [crsm], confirm: true } as const;
    await expect(
      admin.run('crsm.updateCR', { ...on, params: { TRGCR: percent(105), TARCR: percent(150), MAX_TARCR: percent(160) } }),
    ).rejects.toMatchObject({ code: 'INVALID', issues: [{ path: 'TRGCR', rule: 'ratioOrder' }] });
    await expect(
      admin.run('crsm.updateCR', { ...on, params: { TRGCR: percent(130), TARCR: percent(150), MAX_TARCR: percent(149) } }),
    ).rejects.toMatchObject({ issues: [{ path: 'MAX_TARCR', rule: 'ratioOrder' }] });
    await expect(admin.run('crsm.updateCR', { ...on, params: { ...ratios, TRGCR: '1.3' } })).rejects.toMatchObject({
      issues: [{ path: 'TRGCR', rule: 'ratio' }],
    });

    await openCrsm(admin, crsm);
    await expect(record(page)).toBeVisible();
    await admin.key('crsm.updateCR');
    const form = page.getByRole('dialog').filter({ has: page.locator('form') });
    await expect(form.locator('input').first()).toHaveValue('130');
    await form.locator('input').first().fill('135.55');
    await expect(form.locator('[data-figure="triggerPrice"]')).toBeVisible();
    await page.keyboard.press('Control+Enter');
    await expect(said(page)).toContainText(`_TRGCR135.55% (${percent(135.55)})`);
    await expect(said(page).getByRole('row', { name: 'TRGCR' }).first()).toContainText('135.55%');
    await review(page).getByRole('button', { name: 'Update ratios' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await chain.stateOf(crsm)).TRGCR, { timeout: 30_000 }).toBe(parseEther('1.3555'));

    await expect(admin.run('crsm.acceptDebtGasCompensation', on)).rejects.toMatchObject({
      reason: 'crsm.blocked.nothingPending',
    });
    await admin.run('crsm.commitDebtGasCompensation', { ...on, params: { debtGasCompensation: wei('12.5') } });
    expect(await chain.pendingOf(crsm)).toBe(parseEther('12.5'));
    await expect(record(page).locator('[data-deadline]')).toContainText(/00:0[45]:\d\d left/, { timeout: 15_000 });
    await expect(admin.run('crsm.acceptDebtGasCompensation', on)).rejects.toMatchObject({ reason: 'crsm.blocked.early' });
    const verdict = await admin.assess('crsm.acceptDebtGasCompensation');
    expect(verdict.reason).toMatch(/Too early to accept: 00:0[45]:\d\d left/);
    await chain.wait(Number(devnetParameters.crsmDelay));
    await expect
      .poll(
        () =>
          admin.run('crsm.acceptDebtGasCompensation', on).then(
            () => 'accepted',
            ({ message }: Error) => message,
          ),
        { timeout: 30_000, intervals: [2_000] },
      )
      .toBe('accepted');
    expect((await chain.stateOf(crsm)).DEBT_GAS_COMPENSATION).toBe(parseEther('12.5'));
  },
);

test(
  'a CRSM at its trigger is listed first, and its debt can be repaid within the range',
  { tag: '@long' },
  async ({ admin, page }) => {
    test.setTimeout(150_000);
    const it = await stage(admin);
    const { chain, troveId } = it;
    const crsm = await create(admin, it, '40000', '10');
    const on = { targets: [crsm], confirm: true } as const;
    await expect(admin.run('crsm.repay', { ...on, params: { amount: wei('100') } })).rejects.toMatchObject({
      reason: 'crsm.blocked.aboveTrigger',
    });
    await chain.setPrice('62000');
    await admin.run('crsm.updateData', { targets: [crsm] });
    await admin.open(`${list}?q=${crsm}`);
    await expect(page.locator('[data-health="belowTrigger"]').first()).toContainText('At or below trigger');
    await expect(admin.run('crsm.repay', { ...on, params: { amount: wei('100') } })).rejects.toMatchObject({
      issues: [{ path: 'amount', rule: 'range' }],
    });
    await expect(admin.run('crsm.repay', { ...on, params: { amount: wei('90000') } })).rejects.toMatchObject({
      issues: [{ path: 'amount', rule: 'range' }],
    });
    const [before, paid] = [await chain.debtOf(troveId), await chain.yuOf(borrower.address)];
    await admin.run('crsm.repay', { ...on, params: { amount: wei('20200') } });
    expect(await chain.debtOf(troveId)).toBeLessThanOrEqual(before - parseEther('20199'));
    expect((await chain.stateOf(crsm)).deposits).toBeLessThan(parseEther('20000'));
    expect(await chain.yuOf(borrower.address)).toBe(paid + parseEther('10'));
    await chain.setPrice('100000');
  },
);

test(
  'a call is refused for another owner, a low balance, a wallet rejection, another chain and too little gas',
  { tag: '@long' },
  async ({ admin, db, page }) => {
    test.setTimeout(150_000);
    const it = await stage(admin);
    const { chain, wallet } = it;
    const crsm = await create(admin, it, '500');
    const out = { targets: [crsm], params: { to: borrower.address, amount: wei('100') }, confirm: true } as const;
    const count = wallet.asked.length;

    await wallet.show(stranger);
    await expect(page.locator(`[data-evm="${stranger.address}"]`)).toBeVisible();
    await expect(admin.run('crsm.withdrawFromSP', out)).rejects.toMatchObject({ reason: 'crsm.blocked.notOwner' });
    await openCrsm(admin, crsm);
    await expect(record(page)).toBeVisible();
    await expect
      .poll(() => admin.assess('crsm.withdrawFromSP'))
      .toEqual({
        state: 'blocked',
        reason: `Only ${borrower.address} can do this. Switch to that account in your wallet.`,
      });
    await expect(
      admin.run('crsm.deposit', { targets: [crsm], params: { amount: wei('999999999') }, confirm: true }),
    ).rejects.toMatchObject({ issues: [{ path: 'amount', rule: 'balance' }] });
    await wallet.show(borrower);
    await expect(page.locator(`[data-evm="${borrower.address}"]`)).toBeVisible();

    await expect(
      admin.run('crsm.withdrawFromSP', { ...out, params: { ...out.params, amount: wei('500.000000000000000001') } }),
    ).rejects.toMatchObject({ code: 'INVALID', issues: [{ path: 'amount', rule: 'balance' }] });
    await expect(admin.run('crsm.withdraw', out)).rejects.toMatchObject({ reason: 'crsm.blocked.noIdle' });
    await expect(admin.run('crsm.claimYield', { ...out, params: { to: 'nobody' } })).rejects.toMatchObject({
      code: /BLOCKED|INVALID/,
    });
    expect(wallet.asked).toHaveLength(count);

    await openCrsm(admin, crsm);
    await expect(record(page)).toBeVisible();
    const ask = async () => {
      await record(page).locator('[data-command="crsm.withdrawFromSP"]').click();
      const form = page.getByRole('dialog').filter({ has: page.locator('form') });
      await form.getByRole('textbox', { name: 'Amount' }).fill('100');
      await page.keyboard.press('Control+Enter');
      await expect(said(page)).toContainText('Simulation passed');
    };
    wallet.mood = 'rejects';
    await ask();
    await review(page).getByRole('button', { name: 'Withdraw YU from pool' }).click();
    await expect(page.locator('[data-toast]')).toContainText('You declined in your wallet. Nothing was sent.');
    wallet.mood = 'willing';

    await ask();
    await wallet.goTo(1);
    await expect(page.locator('[data-evm]')).toContainText('Wrong chain');
    await review(page).getByRole('button', { name: 'Withdraw YU from pool' }).click();
    await expect(page.locator('[data-toast]').filter({ hasText: 'on chain 1. Switch the wallet to 31337' })).toBeVisible();
    expect((await chain.stateOf(crsm)).deposits).toBe(parseEther('500'));
    const { rows } = await db.query(
      "select count(*)::int as n from crsm_calls where crsm = $1 and action <> 'create' and state <> 'prepared'",
      [crsm],
    );
    expect(rows[0].n).toBe(0);

    await admin.run('evm.switchChain');
    await admin.run('crsm.withdrawFromSP', out);
    expect((await chain.stateOf(crsm)).deposits).toBe(parseEther('400'));
    wallet.mood = 'stingy';
    await expect(admin.run('crsm.withdrawFromSP', out)).rejects.toThrow('The transaction reverted');
    wallet.mood = 'willing';
    expect((await chain.stateOf(crsm)).deposits).toBe(parseEther('400'));
    await wallet.disconnect();
    await expect(
      page.locator('[data-toast]').filter({ hasText: 'Wallet connection disconnected, please log in again' }),
    ).toBeVisible();
    await expect(admin.run('crsm.withdrawFromSP', out)).rejects.toMatchObject({ reason: 'evm.problem.none' });
  },
);

test(
  'an unanswered wallet request can be canceled and sent again, and a late approval is recorded',
  { tag: '@long' },
  async ({ admin, db, page }) => {
    test.setTimeout(150_000);
    const it = await stage(admin);
    const { chain, wallet } = it;
    const crsm = await create(admin, it, '500');
    await openCrsm(admin, crsm);
    const form = page.getByRole('dialog').filter({ has: page.locator('form') });
    const ask = async () => {
      await record(page).locator('[data-command="crsm.withdrawFromSP"]').click();
      await form.getByRole('textbox', { name: 'Amount' }).fill('100');
      await page.keyboard.press('Control+Enter');
      await expect(said(page)).toContainText('Simulation passed');
      await review(page)
        .getByRole('button', { name: /^Withdraw/ })
        .click();
    };
    const waiting = page.locator('[data-toast="waiting"]');
    const asked = wallet.asked.length;
    let approve = () => {};
    wallet.thinking = new Promise((resolve) => (approve = resolve));

    await ask();
    await expect.poll(() => wallet.asked.length).toBe(asked + 1);
    await expect(waiting).toContainText('Waiting for Test Wallet');
    await form.getByRole('button', { name: 'Cancel' }).click();
    await expect(form).toHaveCount(0);
    await expect(waiting).toHaveCount(0);
    expect((await chain.stateOf(crsm)).deposits).toBe(parseEther('500'));

    wallet.thinking = new Promise(() => {});
    await ask();
    await expect.poll(() => wallet.asked.length).toBe(asked + 2);
    await expect(waiting).toContainText('An earlier request may still be open there');
    await waiting.getByRole('button', { name: 'Stop waiting' }).click();
    await expect(form).toHaveCount(0);

    approve();
    await expect(page.locator('[data-toast="error"]')).toContainText(
      'Your wallet sent the transaction after you stopped waiting',
    );
    await expect.poll(async () => (await chain.stateOf(crsm)).deposits).toBe(parseEther('400'));
    const states = async () =>
      (await db.query("select state from crsm_calls where crsm = $1 and action = 'withdrawFromSP' order by id", [crsm])).rows.map(
        ({ state }) => state,
      );
    await expect.poll(states, { timeout: 30_000 }).toEqual(['done', 'prepared']);

    wallet.thinking = null;
    await ask();
    await expect.poll(async () => (await chain.stateOf(crsm)).deposits, { timeout: 20_000 }).toBe(parseEther('300'));
  },
);

test(
  'several claims run one after another, Escape stops before the next signature, and each reports its result',
  { tag: '@long' },
  async ({ admin, page }) => {
    test.setTimeout(180_000);
    const first = await stage(admin);
    const { chain, wallet } = first;
    const crsms = [await create(admin, first, '3000')];
    for (const debt of ['60000', '50000']) {
      const troveId = await chain.openTrove(borrower, '1', debt);
      const position = `${troveManager}-${troveId}`;
      await shown(admin, position);
      crsms.push(await create(admin, { ...first, position, troveId }, '3000'));
    }
    await chain.wait(20 * 86_400);
    await admin.run('crsm.updateData', { targets: crsms });
    await admin.open(list);
    await expect.poll(async () => (await admin.assess('evm.disconnect')).state).toBe('ok');
    const to = getAddress(`0x${randomBytes(20).toString('hex')}`);

    let decide = () => {};
    wallet.thinking = new Promise((resolve) => (decide = resolve));
    const asked = wallet.asked.length;
    const claim = { targets: crsms, params: { to }, confirm: true } as const;
    const running = admin.run('crsm.claimYield', claim);
    await expect.poll(() => wallet.asked.length).toBe(asked + 1);
    await expect(page.locator('[data-batch="running"]')).toContainText('0 done, 0 failed, 3 to go');
    await page.keyboard.press('Escape');
    await expect(page.locator('[data-batch="running"]')).toContainText('Stopping');
    decide();
    wallet.thinking = null;
    expect((await running).value.rows.map(({ state }) => state)).toEqual(['done', 'skipped', 'skipped']);
    await expect(page.locator('[data-batch="finished"] [data-state="skipped"]')).toHaveCount(2);
    expect(wallet.asked).toHaveLength(asked + 1);
    expect((await chain.stateOf(crsms[1] as Address)).yieldGains).toBeGreaterThan(0n);

    const { done: rows } = await admin.run('crsm.claimYield', {
      ...claim,
      targets: crsms.slice(1),
    });
    expect(rows.map(({ state }) => state)).toEqual(['done', 'done']);
    for (const { note } of rows) expect(note).toMatch(/^0x[0-9a-f]{64}$/);
    await page.getByRole('button', { name: 'Dismiss report' }).click();
    await expect(page.locator('[data-batch]')).toHaveCount(0);
  },
);

test(
  'own positions are listed first, and a viewer has no commands that change them',
  { tag: '@long' },
  async ({ admin, page }) => {
    test.setTimeout(120_000);
    const it = await stage(admin);
    await shown(admin, `${troveManager}-${await it.chain.openTrove(stranger, '1', '60000')}`);
    await admin.open(`${positionList}?sort=-icr`);
    // Own CRSMs come first, although others have a higher ratio.
    const whose = async () => {
      const cells = page.locator('[role="row"] [data-column="owner"]');
      const mine = await cells.evaluateAll((found) => found.map((cell) => cell.querySelector('[data-mine]') !== null));
      return mine.map((isMine) => (isMine ? 'mine' : 'other')).join(' ');
    };
    await expect.poll(whose, { timeout: 15_000 }).toMatch(/^(mine )+other( other)*$/);
    const crsm = await create(admin, it, '0');
    await admin.signIn('analyst', `${list}?open=${crsm}`);
    await expect(record(page)).toContainText(crsm);
    for (const id of ['crsm.deposit', 'crsm.updateCR', 'crsm.repay', 'crsm.updateData', 'crsm.claimYield'] as const)
      expect(await admin.assess(id)).toEqual({ state: 'hidden' });
  },
);

for (const theme of ['light', 'dark'] as const) {
  test(`axe finds nothing in lists, record, form and review, ${theme}`, { tag: '@long' }, async ({ admin, page }) => {
    test.setTimeout(120_000);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const it = await stage(admin);
    const crsm = await create(admin, it, '50');
    await admin.run('theme.set', { params: { theme } });
    const look = async (what: string) => {
      await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'));
      expect(await axeViolations(page), what).toEqual([]);
    };
    await admin.open(positionList);
    await expect(page.locator('[data-mine]').first()).toBeVisible();
    await look('positions');
    await admin.open(list);
    await expect(page.locator('[data-health]').first()).toBeVisible();
    await look('CRSMs');
    await openCrsm(admin, crsm);
    await expect(record(page).locator('[data-event]').first()).toBeVisible({ timeout: 15_000 });
    await look('record');
    await admin.key('crsm.withdrawFromSP');
    const form = page.getByRole('dialog').filter({ has: page.locator('form') });
    await form.getByRole('button', { name: 'Max: 50 YU' }).click();
    await look('form');
    await page.keyboard.press('Control+Enter');
    await expect(said(page)).toContainText('Simulation passed');
    await look('review');
  });
}
