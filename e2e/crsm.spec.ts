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
const strangerAccount = devnetAccounts.operators[4] as HDAccount;
const { yu, ybtc, crsmFactory, crsmUtils, troveManager, borrowerOperations, priceFeed } = devnetContracts;
const toPercent = (value: number): string => String(BigInt(Math.round(value * 100)) * 10n ** 14n);
const wei = (value: string): string => parseEther(value).toString();
const ratios = { TRGCR: toPercent(130), TARCR: toPercent(150), MAX_TARCR: toPercent(160) };

async function createChainClient(admin: Admin) {
  const authorization = await admin.page.evaluate(() => localStorage.getItem('Authorization') ?? '');
  const response = await admin.page.request.get(`${admin.url}/api/chain`, { headers: { authorization } });
  const rpcUrl = ((await response.json()) as EvmChainInfo).rpcUrl ?? '';
  const transport = http(rpcUrl);
  const client = createTestClient({ mode: 'anvil', chain: foundry, transport, pollingInterval: 100 }).extend(publicActions);
  const writeContractAs = async (account: HDAccount, address: Address, abi: Abi, functionName: string, args: unknown[] = []) => {
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
  const createCrsmContract = (address: Address) => ({ address, abi: crsmAbi }) as const;
  return {
    rpcUrl,
    by: writeContractAs,
    async openTrove(account: HDAccount, collateral: string, debt: string): Promise<bigint> {
      const collateralWei = parseEther(collateral);
      await writeContractAs(devnetAccounts.minter, ybtc, ybtcAbi, 'mint', [
        `0x${randomBytes(32).toString('hex')}`,
        account.address,
        collateralWei,
      ]);
      await writeContractAs(account, ybtc, ybtcAbi, 'approve', [borrowerOperations, collateralWei]);
      await writeContractAs(account, borrowerOperations, borrowerOperationsAbi, 'openTrove', [
        troveManager,
        account.address,
        collateralWei,
        parseEther(debt),
      ]);
      const managerContract = { address: troveManager, abi: troveManagerAbi } as const;
      const count = await client.readContract({ ...managerContract, functionName: 'balanceOf', args: [account.address] });
      return client.readContract({
        ...managerContract,
        functionName: 'tokenOfOwnerByIndex',
        args: [account.address, count - 1n],
      });
    },
    setPrice: (price: string) =>
      writeContractAs(devnetAccounts.deployer, priceFeed, priceFeedAbi, 'setPrice', [parseEther(price)]),
    liquidate: (id: bigint) => writeContractAs(devnetAccounts.deployer, troveManager, troveManagerAbi, 'batchLiquidate', [[id]]),
    /** Interest accrues while time passes. */
    async wait(seconds: number) {
      await client.increaseTime({ seconds });
      await writeContractAs(devnetAccounts.deployer, crsmUtils, crsmUtilsAbi, 'getCRSM', [0n, 10n]);
    },
    newest: async (): Promise<Address> => {
      const factoryContract = { address: crsmFactory, abi: crsmFactoryAbi } as const;
      const count = await client.readContract({ ...factoryContract, functionName: 'totalSupply' });
      const token = await client.readContract({ ...factoryContract, functionName: 'tokenByIndex', args: [count - 1n] });
      return client.readContract({ ...factoryContract, functionName: 'crsms', args: [token] });
    },
    stateOf: (crsm: Address) => client.readContract({ ...createCrsmContract(crsm), functionName: 'getState' }),
    pendingOf: (crsm: Address) =>
      client.readContract({ ...createCrsmContract(crsm), functionName: 'pendingDebtGasCompensation' }),
    debtOf: async (id: bigint) => {
      const args = [id] as const;
      const troveState = await client.readContract({
        address: troveManager,
        abi: troveManagerAbi,
        functionName: 'getCurrentTrove',
        args,
      });
      return troveState.debt + troveState.interest;
    },
    yuOf: (account: Address) => client.readContract({ address: yu, abi: yuAbi, functionName: 'balanceOf', args: [account] }),
    ybtcOf: (account: Address) =>
      client.readContract({ address: ybtc, abi: ybtcAbi, functionName: 'balanceOf', args: [account] }),
  };
}
type Chain = Awaited<ReturnType<typeof createChainClient>>;

interface PositionFixture {
  chain: Chain;
  wallet: InjectedEvmWallet;
  position: string;
  troveId: bigint;
}

async function setUpPosition(admin: Admin): Promise<PositionFixture> {
  await admin.signIn('operator', positionList);
  const chain = await createChainClient(admin);
  await chain.setPrice('100000');
  const troveId = await chain.openTrove(borrower, '2', '100000');
  const wallet = await injectEvmWallet(admin.page, chain.rpcUrl, borrower);
  await admin.open(positionList);
  await admin.run('evm.connect', { params: { wallet: wallet.id } });
  const position = `${troveManager}-${troveId}`;
  await readPosition(admin, position);
  return { chain, wallet, position, troveId };
}

/** Waits until the panel knows the position. */
const readPosition = (admin: Admin, position: string) =>
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

async function createCrsm(admin: Admin, { chain, position }: PositionFixture, amount = '40000', reward = '0'): Promise<Address> {
  const params = { ...ratios, debtGasCompensation: wei(reward), amount: wei(amount) };
  await admin.run('crsm.create', { targets: [position], params, confirm: true });
  return chain.newest();
}

const openCrsm = (admin: Admin, crsm: Address) => admin.open(`${list}?open=${crsm}`);
const record = (page: Page): Locator => page.locator('[data-record]');
const reviewDialog = (page: Page): Locator => page.getByRole('dialog').filter({ has: page.locator('form') });
const consequencesText = (page: Page): Locator => reviewDialog(page).locator('[data-consequences]');
const reviewFigure = (page: Page, name: string): Locator => reviewDialog(page).locator(`[data-figure="${name}"]`);
const toLowerCase = (address: string) => address.toLowerCase();

test('a CRSM created by palette and form has the reviewed values on chain', { tag: '@long' }, async ({ admin, page }) => {
  test.setTimeout(120_000);
  const { chain, wallet, position, troveId } = await setUpPosition(admin);
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

  for (const text of ['approve', crsmFactory, `25,000.5 YU (${wei('25000.5')})`, 'createNewCRSM', troveManager, String(troveId)])
    await expect(consequencesText(page).locator('[data-calls]')).toContainText(text);
  await expect(consequencesText(page)).toContainText(`130.00% (${toPercent(130)})`);
  await expect(consequencesText(page)).toContainText(borrower.address);
  await expect(consequencesText(page)).toContainText('The approval passed simulation');
  await expect(reviewFigure(page, 'deposits')).toContainText('25,000.5');
  await reviewDialog(page).getByRole('button', { name: 'Create CRSM' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-toast]')).toContainText('Operation Successful', { timeout: 30_000 });
  const state = await chain.stateOf(await chain.newest());
  expect(state).toMatchObject({ troveId, owner: borrower.address, TRGCR: parseEther('1.3'), TARCR: parseEther('1.5') });
  expect(state).toMatchObject({ MAX_TARCR: parseEther('1.6'), deposits: parseEther('25000.5'), DEBT_GAS_COMPENSATION: 0n });
  expect(wallet.asked.map(({ to }) => toLowerCase(to))).toEqual([toLowerCase(yu), toLowerCase(crsmFactory)]);
  await expect(admin.runAny('crsm.create', { targets: [position], confirm: true })).rejects.toMatchObject({
    code: 'BLOCKED',
  });
});

test('creates a CRSM from the CRSM list for a position of the connected account', { tag: '@long' }, async ({ admin, page }) => {
  await admin.signIn('operator', list);
  const header = page.locator('main header');
  await header.getByRole('button', { name: /^Create CRSM for a position/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Account position list' })).toBeVisible();

  const { chain, troveId } = await setUpPosition(admin);
  await readPosition(admin, `${troveManager}-${await chain.openTrove(borrower, '2', '100000')}`);
  await admin.open(list);
  const button = header.getByRole('button', { name: /^Create CRSM/ });
  await expect(button).toHaveAttribute('aria-haspopup', 'menu');
  await button.click();
  await page.getByRole('menuitem', { name: `#${troveId} ·` }).click();
  await expect(
    page.getByRole('dialog', { name: 'Create a CRSM for this position?' }).getByRole('textbox', { name: 'Amount' }),
  ).toBeVisible();
});

test('deposit, withdrawal and claim work by key, mouse and script', async ({ admin, db, page }) => {
  test.setTimeout(180_000);
  const fixture = await setUpPosition(admin);
  const { chain, wallet } = fixture;
  const crsm = await createCrsm(admin, fixture);
  await openCrsm(admin, crsm);
  await expect(record(page).locator('[data-chart]')).toContainText('The ICR is 199.');

  await admin.key('crsm.deposit');
  const form = page.getByRole('dialog').filter({ has: page.locator('form') });
  await expect(form.getByRole('textbox', { name: 'Amount' })).toBeFocused();
  await page.keyboard.type('1000.25');
  for (const text of ['deposit', crsm, `1,000.25 YU (${wei('1000.25')})`])
    await expect(consequencesText(page).locator('[data-calls]')).toContainText(text);
  await expect(reviewFigure(page, 'deposits')).toContainText('40,000.0000 YU41,000.2500 YU');
  await expect(reviewFigure(page, 'icr')).toContainText('Unchanged');
  await reviewDialog(page).getByRole('button', { name: 'Deposit YU' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await chain.stateOf(crsm)).deposits, { timeout: 30_000 }).toBe(parseEther('41000.25'));
  await expect(record(page)).toContainText('41,000.25', { timeout: 15_000 });

  await record(page).locator('[data-command="crsm.withdrawFromSP"]').click();
  await form.getByRole('button', { name: 'Max: 41000.25 YU' }).click();
  await expect(form.getByRole('textbox', { name: 'Amount' })).toHaveValue('41000.25');
  await form.getByRole('textbox', { name: 'Amount' }).fill('1000.25');
  await expect(form.getByRole('textbox', { name: 'Receiving address' })).toHaveValue(borrower.address);
  await form.getByRole('textbox', { name: 'Receiving address' }).fill(toLowerCase(crsm));
  await expect(form.locator('[data-spelling]')).toContainText(crsm);
  await form.getByRole('button', { name: 'Withdraw YU from pool' }).click();
  await expect(form).toContainText('must use its checksum capitalization (EIP-55)');
  await form.getByRole('textbox', { name: 'Receiving address' }).fill(crsm);
  for (const text of ['withdrawFromSP', crsm, `1,000.25 YU (${wei('1000.25')})`])
    await expect(consequencesText(page).locator('[data-calls]')).toContainText(text);
  await expect(consequencesText(page)).toContainText('Simulation passed');
  await reviewDialog(page).getByRole('button', { name: 'Withdraw YU from pool' }).click();
  await expect.poll(async () => (await chain.stateOf(crsm)).debtTokenBalance, { timeout: 30_000 }).toBe(parseEther('1000.25'));

  await expect(record(page)).toContainText('40,000.0', { timeout: 15_000 });

  const balanceBefore = await chain.yuOf(strangerAccount.address);
  const { value: withdrawResult } = await admin.run('crsm.withdraw', {
    targets: [crsm],
    params: { to: strangerAccount.address, amount: wei('1000.25') },
    confirm: true,
  });
  expect(await chain.yuOf(strangerAccount.address)).toBe(balanceBefore + parseEther('1000.25'));
  expect((await chain.stateOf(crsm)).debtTokenBalance).toBe(0n);
  expect(wallet.asked.at(-1)?.to && toLowerCase(wallet.asked.at(-1)?.to ?? '')).toBe(toLowerCase(crsm));

  const victimTroveId = await chain.openTrove(strangerAccount, '0.03', '2000');
  await chain.wait(30 * 86_400);
  await chain.setPrice('76000');
  await chain.liquidate(victimTroveId);
  await chain.setPrice('100000');
  await admin.run('crsm.updateData', { targets: [crsm] });
  const stateWhenDue = await chain.stateOf(crsm);
  expect(stateWhenDue.yieldGains).toBeGreaterThan(0n);
  expect(stateWhenDue.collateralGains[0]).toBeGreaterThan(0n);
  const beneficiary = getAddress(`0x${randomBytes(20).toString('hex')}`);
  await admin.run('crsm.claimYield', { targets: [crsm], params: { to: beneficiary }, confirm: true });
  // Leaves gas for interest that falls due before mining.
  expect(BigInt(wallet.asked.at(-1)?.gas ?? 0)).toBeGreaterThan(300_000n);
  expect(await chain.yuOf(beneficiary)).toBeGreaterThanOrEqual(stateWhenDue.yieldGains);
  await admin.run('crsm.claimAllCollateralGains', { targets: [crsm], params: { to: beneficiary }, confirm: true });
  expect(await chain.ybtcOf(beneficiary)).toBe(stateWhenDue.collateralGains[0]);
  await expect(
    admin.run('crsm.claimAllCollateralGains', { targets: [crsm], params: { to: beneficiary }, confirm: true }),
  ).rejects.toMatchObject({ reason: 'crsm.blocked.nothingToClaim' });

  await expect
    .poll(async () => (await db.query('select state from crsm_calls where hash = $1', [withdrawResult.hash])).rows[0]?.state, {
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
    const fixture = await setUpPosition(admin);
    const { chain } = fixture;
    const crsm = await createCrsm(admin, fixture, '0');
    const runOptions = { targets: [crsm], confirm: true } as const;
    await expect(
      admin.run('crsm.updateCR', {
        ...runOptions,
        params: { TRGCR: toPercent(105), TARCR: toPercent(150), MAX_TARCR: toPercent(160) },
      }),
    ).rejects.toMatchObject({ code: 'INVALID', issues: [{ path: 'TRGCR', rule: 'ratioOrder' }] });
    await expect(
      admin.run('crsm.updateCR', {
        ...runOptions,
        params: { TRGCR: toPercent(130), TARCR: toPercent(150), MAX_TARCR: toPercent(149) },
      }),
    ).rejects.toMatchObject({ issues: [{ path: 'MAX_TARCR', rule: 'ratioOrder' }] });
    await expect(admin.run('crsm.updateCR', { ...runOptions, params: { ...ratios, TRGCR: '1.3' } })).rejects.toMatchObject({
      issues: [{ path: 'TRGCR', rule: 'ratio' }],
    });

    await openCrsm(admin, crsm);
    await expect(record(page)).toBeVisible();
    await admin.key('crsm.updateCR');
    const form = page.getByRole('dialog').filter({ has: page.locator('form') });
    await expect(form.locator('input').first()).toHaveValue('130');
    await form.locator('input').first().fill('135.55');
    await expect(form.locator('[data-figure="triggerPrice"]')).toBeVisible();
    await expect(consequencesText(page)).toContainText(`_TRGCR135.55% (${toPercent(135.55)})`);
    await expect(consequencesText(page).getByRole('row', { name: 'TRGCR' }).first()).toContainText('135.55%');
    await reviewDialog(page).getByRole('button', { name: 'Update ratios' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await chain.stateOf(crsm)).TRGCR, { timeout: 30_000 }).toBe(parseEther('1.3555'));

    await expect(admin.run('crsm.acceptDebtGasCompensation', runOptions)).rejects.toMatchObject({
      reason: 'crsm.blocked.nothingPending',
    });
    await admin.run('crsm.commitDebtGasCompensation', { ...runOptions, params: { debtGasCompensation: wei('12.5') } });
    expect(await chain.pendingOf(crsm)).toBe(parseEther('12.5'));
    await expect(record(page).locator('[data-deadline]')).toContainText(/00:0[45]:\d\d left/, { timeout: 15_000 });
    await expect(admin.run('crsm.acceptDebtGasCompensation', runOptions)).rejects.toMatchObject({ reason: 'crsm.blocked.early' });
    const assessment = await admin.assess('crsm.acceptDebtGasCompensation');
    expect(assessment.reason).toMatch(/Too early to accept: 00:0[45]:\d\d left/);
    await chain.wait(Number(devnetParameters.crsmDelay));
    await expect
      .poll(
        () =>
          admin.run('crsm.acceptDebtGasCompensation', runOptions).then(
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
    const fixture = await setUpPosition(admin);
    const { chain, troveId } = fixture;
    const crsm = await createCrsm(admin, fixture, '40000', '10');
    const runOptions = { targets: [crsm], confirm: true } as const;
    await expect(admin.run('crsm.repay', { ...runOptions, params: { amount: wei('100') } })).rejects.toMatchObject({
      reason: 'crsm.blocked.aboveTrigger',
    });
    await chain.setPrice('62000');
    await admin.run('crsm.updateData', { targets: [crsm] });
    await admin.open(`${list}?q=${crsm}`);
    await expect(page.locator('[data-health="belowTrigger"]').first()).toContainText('At or below trigger');
    await expect(admin.run('crsm.repay', { ...runOptions, params: { amount: wei('100') } })).rejects.toMatchObject({
      issues: [{ path: 'amount', rule: 'range' }],
    });
    await expect(admin.run('crsm.repay', { ...runOptions, params: { amount: wei('90000') } })).rejects.toMatchObject({
      issues: [{ path: 'amount', rule: 'range' }],
    });
    const [debtBefore, balanceBefore] = [await chain.debtOf(troveId), await chain.yuOf(borrower.address)];
    await admin.run('crsm.repay', { ...runOptions, params: { amount: wei('20200') } });
    expect(await chain.debtOf(troveId)).toBeLessThanOrEqual(debtBefore - parseEther('20199'));
    expect((await chain.stateOf(crsm)).deposits).toBeLessThan(parseEther('20000'));
    expect(await chain.yuOf(borrower.address)).toBe(balanceBefore + parseEther('10'));
    await chain.setPrice('100000');
  },
);

test(
  'a call is refused for another owner, a low balance, a wallet rejection, another chain and too little gas',
  { tag: '@long' },
  async ({ admin, db, page }) => {
    test.setTimeout(150_000);
    const fixture = await setUpPosition(admin);
    const { chain, wallet } = fixture;
    const crsm = await createCrsm(admin, fixture, '500');
    const withdrawOptions = { targets: [crsm], params: { to: borrower.address, amount: wei('100') }, confirm: true } as const;
    const count = wallet.asked.length;

    await wallet.show(strangerAccount);
    await expect(page.locator(`[data-evm="${strangerAccount.address}"]`)).toBeVisible();
    await expect(admin.run('crsm.withdrawFromSP', withdrawOptions)).rejects.toMatchObject({ reason: 'crsm.blocked.notOwner' });
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
      admin.run('crsm.withdrawFromSP', {
        ...withdrawOptions,
        params: { ...withdrawOptions.params, amount: wei('500.000000000000000001') },
      }),
    ).rejects.toMatchObject({ code: 'INVALID', issues: [{ path: 'amount', rule: 'balance' }] });
    await expect(admin.run('crsm.withdraw', withdrawOptions)).rejects.toMatchObject({ reason: 'crsm.blocked.noIdle' });
    await expect(admin.run('crsm.claimYield', { ...withdrawOptions, params: { to: 'nobody' } })).rejects.toMatchObject({
      code: /BLOCKED|INVALID/,
    });
    expect(wallet.asked).toHaveLength(count);

    await openCrsm(admin, crsm);
    await expect(record(page)).toBeVisible();
    const openReview = async () => {
      await record(page).locator('[data-command="crsm.withdrawFromSP"]').click();
      const form = page.getByRole('dialog').filter({ has: page.locator('form') });
      await form.getByRole('textbox', { name: 'Amount' }).fill('100');
      await page.keyboard.press('Control+Enter');
      await expect(consequencesText(page)).toContainText('Simulation passed');
    };
    wallet.mood = 'rejects';
    await openReview();
    await reviewDialog(page).getByRole('button', { name: 'Withdraw YU from pool' }).click();
    await expect(page.locator('[data-toast]')).toContainText('You declined in your wallet. Nothing was sent.');
    wallet.mood = 'willing';

    await openReview();
    await wallet.goTo(1);
    await expect(page.locator('[data-evm]')).toContainText('Wrong chain');
    await reviewDialog(page).getByRole('button', { name: 'Withdraw YU from pool' }).click();
    await expect(page.locator('[data-toast]').filter({ hasText: 'on chain 1. Switch the wallet to 31337' })).toBeVisible();
    expect((await chain.stateOf(crsm)).deposits).toBe(parseEther('500'));
    const { rows } = await db.query(
      "select count(*)::int as n from crsm_calls where crsm = $1 and action <> 'create' and state <> 'prepared'",
      [crsm],
    );
    expect(rows[0].n).toBe(0);

    await admin.run('evm.switchChain');
    await admin.run('crsm.withdrawFromSP', withdrawOptions);
    expect((await chain.stateOf(crsm)).deposits).toBe(parseEther('400'));
    wallet.mood = 'stingy';
    await expect(admin.run('crsm.withdrawFromSP', withdrawOptions)).rejects.toThrow('The transaction reverted');
    wallet.mood = 'willing';
    expect((await chain.stateOf(crsm)).deposits).toBe(parseEther('400'));
    await wallet.disconnect();
    await expect(
      page.locator('[data-toast]').filter({ hasText: 'Wallet connection disconnected, please log in again' }),
    ).toBeVisible();
    await expect(admin.run('crsm.withdrawFromSP', withdrawOptions)).rejects.toMatchObject({ reason: 'evm.problem.none' });
  },
);

test(
  'an unanswered wallet request can be canceled and sent again, and a late approval is recorded',
  { tag: '@long' },
  async ({ admin, db, page }) => {
    test.setTimeout(150_000);
    const fixture = await setUpPosition(admin);
    const { chain, wallet } = fixture;
    const crsm = await createCrsm(admin, fixture, '500');
    await openCrsm(admin, crsm);
    const form = page.getByRole('dialog').filter({ has: page.locator('form') });
    const openReview = async () => {
      await record(page).locator('[data-command="crsm.withdrawFromSP"]').click();
      await form.getByRole('textbox', { name: 'Amount' }).fill('100');
      await page.keyboard.press('Control+Enter');
      await expect(consequencesText(page)).toContainText('Simulation passed');
      await reviewDialog(page)
        .getByRole('button', { name: /^Withdraw/ })
        .click();
    };
    const waitingToast = page.locator('[data-toast="waiting"]');
    const requestCount = wallet.asked.length;
    let approveRequest = () => {};
    wallet.thinking = new Promise((resolve) => (approveRequest = resolve));

    await openReview();
    await expect.poll(() => wallet.asked.length).toBe(requestCount + 1);
    await expect(waitingToast).toContainText('Waiting for Test Wallet');
    await form.getByRole('button', { name: 'Cancel' }).click();
    await expect(form).toHaveCount(0);
    await expect(waitingToast).toHaveCount(0);
    expect((await chain.stateOf(crsm)).deposits).toBe(parseEther('500'));

    wallet.thinking = new Promise(() => {});
    await openReview();
    await expect.poll(() => wallet.asked.length).toBe(requestCount + 2);
    await expect(waitingToast).toContainText('An earlier request may still be open there');
    await waitingToast.getByRole('button', { name: 'Stop waiting' }).click();
    await expect(form).toHaveCount(0);

    approveRequest();
    await expect(page.locator('[data-toast="error"]')).toContainText(
      'Your wallet sent the transaction after you stopped waiting',
    );
    await expect.poll(async () => (await chain.stateOf(crsm)).deposits).toBe(parseEther('400'));
    const readStates = async () =>
      (await db.query("select state from crsm_calls where crsm = $1 and action = 'withdrawFromSP' order by id", [crsm])).rows.map(
        ({ state }) => state,
      );
    await expect.poll(readStates, { timeout: 30_000 }).toEqual(['done', 'prepared']);

    wallet.thinking = null;
    await openReview();
    await expect.poll(async () => (await chain.stateOf(crsm)).deposits, { timeout: 20_000 }).toBe(parseEther('300'));
  },
);

test(
  'several claims run one after another, Escape stops before the next signature, and each reports its result',
  { tag: '@long' },
  async ({ admin, page }) => {
    test.setTimeout(180_000);
    const firstPosition = await setUpPosition(admin);
    const { chain, wallet } = firstPosition;
    const crsms = [await createCrsm(admin, firstPosition, '3000')];
    for (const debt of ['60000', '50000']) {
      const troveId = await chain.openTrove(borrower, '1', debt);
      const position = `${troveManager}-${troveId}`;
      await readPosition(admin, position);
      crsms.push(await createCrsm(admin, { ...firstPosition, position, troveId }, '3000'));
    }
    await chain.wait(20 * 86_400);
    await admin.run('crsm.updateData', { targets: crsms });
    await admin.open(list);
    await expect.poll(async () => (await admin.assess('evm.disconnect')).state).toBe('ok');
    const recipient = getAddress(`0x${randomBytes(20).toString('hex')}`);

    let decideRequest = () => {};
    wallet.thinking = new Promise((resolve) => (decideRequest = resolve));
    const requestCount = wallet.asked.length;
    const claimOptions = { targets: crsms, params: { to: recipient }, confirm: true } as const;
    const claimRun = admin.run('crsm.claimYield', claimOptions);
    await expect.poll(() => wallet.asked.length).toBe(requestCount + 1);
    await expect(page.locator('[data-batch="running"]')).toContainText('0 done, 0 failed, 3 to go');
    await page.keyboard.press('Escape');
    await expect(page.locator('[data-batch="running"]')).toContainText('Stopping');
    decideRequest();
    wallet.thinking = null;
    expect((await claimRun).value.rows.map(({ state }) => state)).toEqual(['done', 'skipped', 'skipped']);
    await expect(page.locator('[data-batch="finished"] [data-state="skipped"]')).toHaveCount(2);
    expect(wallet.asked).toHaveLength(requestCount + 1);
    expect((await chain.stateOf(crsms[1] as Address)).yieldGains).toBeGreaterThan(0n);

    const { done: rows } = await admin.run('crsm.claimYield', {
      ...claimOptions,
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
    const fixture = await setUpPosition(admin);
    await readPosition(admin, `${troveManager}-${await fixture.chain.openTrove(strangerAccount, '1', '60000')}`);
    await admin.open(`${positionList}?sort=-icr`);
    // Own CRSMs come first, although others have a higher ratio.
    const readOwners = async () => {
      const cells = page.locator('[role="row"] [data-column="owner"]');
      const ownFlags = await cells.evaluateAll((cells) => cells.map((cell) => cell.querySelector('[data-mine]') !== null));
      return ownFlags.map((isMine) => (isMine ? 'mine' : 'other')).join(' ');
    };
    await expect.poll(readOwners, { timeout: 15_000 }).toMatch(/^(mine )+other( other)*$/);
    const crsm = await createCrsm(admin, fixture, '0');
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
    const fixture = await setUpPosition(admin);
    const crsm = await createCrsm(admin, fixture, '50');
    await admin.run('theme.set', { params: { theme } });
    const checkAccessibility = async (surfaceName: string) => {
      await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'));
      expect(await axeViolations(page), surfaceName).toEqual([]);
    };
    await admin.open(positionList);
    await expect(page.locator('[data-mine]').first()).toBeVisible();
    await checkAccessibility('positions');
    await admin.open(list);
    await expect(page.locator('[data-health]').first()).toBeVisible();
    await checkAccessibility('CRSMs');
    await openCrsm(admin, crsm);
    await expect(record(page).locator('[data-event]').first()).toBeVisible({ timeout: 15_000 });
    await checkAccessibility('record');
    await admin.key('crsm.withdrawFromSP');
    const form = page.getByRole('dialog').filter({ has: page.locator('form') });
    await form.getByRole('button', { name: 'Max: 50 YU' }).click();
    await checkAccessibility('form');
    await page.keyboard.press('Control+Enter');
    await expect(consequencesText(page)).toContainText('Simulation passed');
    await checkAccessibility('review');
  });
}
