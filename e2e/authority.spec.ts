import { readFile } from 'node:fs/promises';
import type { CDPSession, Page } from 'playwright/test';
import { Address } from '@scure/btc-signer';
import type { AuthoritySummary, StatementRow } from '../api/authority/contract.ts';
import type { LogLine } from '../api/authority/statements.ts';
import type { CommandId } from '../api/names.ts';
import type { DepositRow } from '../api/deposits/contract.ts';
import { toChecksumAddress } from '../api/evm.ts';
import { bitcoinParameters } from '../chain/bitcoin.ts';
import { expect, test, type Admin } from './fixtures.ts';
import { addAuthenticator } from './support/authenticator.ts';
import { coboAddress, createOwnChain } from './support/own-chain.ts';

const chain = createOwnChain();
test.use({ serverEnv: async ({}, provide) => provide(await chain.serverEnv()) });
test.describe.configure({ timeout: 120_000 });
test.afterAll(() => chain.stop());

const screenPath = '/selfCustody/authority';
const reviewDialog = (page: Page) => page.getByRole('alertdialog');
const recordDrawer = (page: Page) => page.locator('[data-record]');

type Credential = Awaited<ReturnType<typeof readCredentials>>[number];

/** Passkeys of an earlier page, which this file's log still names. */
let storedCredentials: readonly Credential[] = [];

/**
 * A virtual authenticator that approves everything. Returns a function that keeps its passkeys for
 * the next page.
 */
async function restoreAuthenticator(page: Page): Promise<() => Promise<void>> {
  const { cdp, authenticatorId } = await addAuthenticator(page);
  for (const credential of storedCredentials) await cdp.send('WebAuthn.addCredential', { authenticatorId, credential });
  return async () => void (storedCredentials = await readCredentials(cdp, authenticatorId));
}

async function readCredentials(cdp: CDPSession, authenticatorId: string) {
  return (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials;
}

async function pressButton(page: Page, name: string): Promise<void> {
  const button = page.locator('[role=alertdialog], [role=dialog]').getByRole('button', { name, exact: true });
  await expect(button).not.toHaveAttribute('aria-disabled', 'true');
  for (
    let pressCount = 0;
    pressCount < 20 && !(await button.evaluate((element) => element === document.activeElement));
    pressCount++
  )
    await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
}

async function recordDeposit(admin: Admin, satoshi: string): Promise<DepositRow> {
  const timestampHex = Date.now().toString(16);
  const txid = timestampHex.padStart(64, 'c');
  const postBitcoin = (path: string) => admin.page.request.post(`${admin.url}/dev/bitcoin/${path}`);
  expect((await postBitcoin(`pay/${txid}/${coboAddress}/${satoshi}`)).ok()).toBe(true);
  expect((await postBitcoin('blocks/7')).ok()).toBe(true);
  const { done } = await admin.run('deposits.add', {
    params: {
      userAddress: toChecksumAddress(`0x${timestampHex.padStart(40, 'e')}`),
      amount: satoshi,
      coboAddress,
      txid,
      vout: 0,
      type: 'cobo',
      lockTime: null,
      remarks: '',
    },
  });
  return done[0];
}

test('a passkey is enrolled by keyboard, approved by a colleague, and mints a deposit', async ({ admin, page }) => {
  await admin.signIn('operator', '/selfCustody/deposit');
  const deposit = await recordDeposit(admin, '150000001');

  const storeCredentials = await restoreAuthenticator(page);
  await admin.signIn('approver', '/');
  await page.keyboard.press('g');
  await page.keyboard.press('q');
  await expect(page).toHaveURL(/\/selfCustody\/authority$/);
  await expect(page.locator('[data-authority] [data-development]')).toBeVisible();
  await admin.palette('authority.enrol');
  await expect(page.getByRole('dialog')).toContainText('您的签署证明您持有该密钥，之后还需 1 位签署人签署。');
  await page.getByRole('dialog').getByRole('button', { name: '注册密钥' }).click();
  await expect(page.getByText(/密钥已提议，请将六个词读给 1 位签署人核对/)).toBeVisible();
  await storeCredentials();

  await admin.signIn('all', '/');
  await page.locator('[data-waiting=statements] a').focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/authority\?mine=true$/);
  await expect(page.getByRole('row').filter({ hasText: '新增签署人 approver@demo.local（通行密钥）' })).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('Shift+A');
  await expect(reviewDialog(page).locator('[data-content]')).toContainText('approver@demo.local');
  await expect(reviewDialog(page).locator('[data-hash]')).toHaveAttribute('data-hash', /^[0-9a-f]{64}$/); // computed by the page
  const readAloudCheckbox = reviewDialog(page).getByRole('checkbox', { name: /本人读出这六个词/ });
  await readAloudCheckbox.focus();
  await page.keyboard.press('Space');
  await expect(readAloudCheckbox).toBeChecked();
  await pressButton(page, '签署授权单');
  await expect(page.getByText(/已签署 #\d+，签署人数已满足/)).toBeVisible();
  await expect(page.locator('[data-authority]')).toContainText('通行密钥');

  await admin.signIn('approver', `/selfCustody/deposit?open=${deposit.id}`);
  await expect(recordDrawer(page).locator('[data-evidence="holds"]')).toBeVisible();
  await page.keyboard.press('Shift+M');
  await pressButton(page, '签署并铸造');
  await expect(page.getByText('存款已确认，正在铸造 YBTC')).toBeVisible();
  await expect(recordDrawer(page).locator('[data-progress="final"]')).toBeVisible({ timeout: 60_000 });

  await admin.open(screenPath);
  const downloadPromise = page.waitForEvent('download');
  await admin.palette('authority.export');
  const file = await (await downloadPromise).path();
  const lines = (await readFile(file, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as LogLine);
  expect(lines[0]?.kind).toBe('genesis');
  const approvalLine = lines.find(
    (line) => line.kind === 'statement' && line.statement.kind === 'mint.approve' && line.statement.content.txid === deposit.txid,
  );
  expect(approvalLine).toMatchObject({
    statement: { content: { satoshi: '150000001', custody: coboAddress, receiver: deposit.userAddress } },
  });
  const proofs = lines.flatMap((line) => (line.kind === 'genesis' ? [] : [line.proof.type]));
  expect(proofs.filter((type) => type === 'passkey')).toHaveLength(2);
});

test(
  'a person who cancels the signature keeps the enrolled key as a draft and signs it later in the log',
  { tag: '@long' },
  async ({ admin, page }) => {
    await restoreAuthenticator(page);
    await admin.signIn('all', screenPath);
    await page.evaluate(() => {
      const { credentials } = navigator;
      credentials.get = () => {
        Reflect.deleteProperty(credentials, 'get');
        return Promise.reject(new DOMException('no', 'NotAllowedError'));
      };
    });
    await admin.palette('authority.enrol');
    await page.getByRole('dialog').getByRole('button', { name: '注册密钥' }).click();
    await expect(page.getByText('草稿已保存，首次签署后写入日志')).toBeVisible();

    await expect(page.getByRole('row').filter({ hasText: '新增签署人 admin@demo.local（通行密钥）' })).toBeVisible();
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await page.keyboard.press('Shift+A');
    await pressButton(page, '签署授权单');
    await expect(page.getByText('已确认密钥归您所有，需由其他管理员签署')).toBeVisible();
  },
);

test(
  'every other statement is proposed, opened, copied by hash and signed by script, with a colleague where two are needed',
  { tag: '@long' },
  async ({ admin, context, page }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await restoreAuthenticator(page);
    const readSummary = async (): Promise<AuthoritySummary> => {
      const authorization = await admin.page.evaluate(() => localStorage.getItem('Authorization') ?? '');
      const response = await admin.page.request.post(`${admin.url}/rpc/authority/summary`, {
        headers: { authorization },
        data: {},
      });
      return ((await response.json()) as { json: AuthoritySummary }).json;
    };
    /** Returns the statement in the log. */
    const proposeStatement = async (id: CommandId, params: Record<string, unknown>): Promise<StatementRow> => {
      const [row] = (await admin.runAny(id, { params, confirm: true })).done as StatementRow[];
      if (!row) throw new Error(`${id} proposed nothing`);
      return row;
    };
    /** A colleague signs where one person is not enough. */
    const waitUntilActive = async (id: CommandId, params: Record<string, unknown>) => {
      const { id: statement, state } = await proposeStatement(id, params);
      if (state === 'inForce') return;
      await admin.signIn('approver', screenPath);
      const { done } = await admin.run('authority.sign', { targets: [statement], confirm: true });
      expect(done, id).toMatchObject([{ state: 'inForce' }]);
      await admin.signIn('all', screenPath);
    };
    const [reason, institution] = ['tried by script', toChecksumAddress(`0x${'ab'.repeat(20)}`)];
    const buildWitnessScript = (byte: number) =>
      Address(bitcoinParameters.mainnet).encode({ type: 'wpkh', hash: new Uint8Array(20).fill(byte) });

    await admin.signIn('approver', screenPath);
    await waitUntilActive('authority.addCustody', { address: buildWitnessScript(1), note: 'first' });
    await admin.signIn('all', screenPath);
    await waitUntilActive('authority.removeCustody', { address: buildWitnessScript(1), reason });
    await waitUntilActive('authority.addReceiver', { institution: 'Run', address: institution, custody: [] });
    await waitUntilActive('authority.removeReceiver', { address: institution, reason });
    await waitUntilActive('authority.freeze', { reason });
    const [activeFreeze] = (await readSummary()).freezes;
    await waitUntilActive('authority.unfreeze', { freeze: String(activeFreeze?.freeze), reason });
    expect((await readSummary()).freezes).toEqual([]);
    await waitUntilActive('authority.setMinter', { address: institution, reason });

    await waitUntilActive('authority.setRules', {
      root: '2',
      coolingSeconds: '0',
      receivers: 'any',
      bands: '0 |  | 1 |  |  | 0',
    });
    const root = (await readSummary()).people.find(({ name }) => name === 'development');
    const removalStatement = await proposeStatement('authority.removeApprover', { person: root?.person, reason });
    expect(removalStatement).toMatchObject({ state: 'open' });
    await admin.run('authority.open', { targets: [removalStatement.id] });
    await expect(admin.page.locator('[data-record]')).toContainText(reason);
    await admin.run('authority.copyHash', { targets: [removalStatement.id] });
    expect(await admin.page.evaluate(() => navigator.clipboard.readText())).toBe(removalStatement.id);
    await admin.signIn('approver', screenPath);
    await admin.run('authority.sign', { targets: [removalStatement.id], confirm: true });
    expect((await readSummary()).people.map(({ name }) => name)).not.toContain('development');
  },
);
