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
import { coboAddress, ownChain } from './support/own-chain.ts';

const chain = ownChain();
test.use({ serverEnv: async ({}, use) => use(await chain.serverEnv()) });
test.describe.configure({ timeout: 120_000 });
test.afterAll(() => chain.stop());

const place = '/selfCustody/authority';
const review = (page: Page) => page.getByRole('alertdialog');
const drawer = (page: Page) => page.locator('[data-record]');

type Credential = Awaited<ReturnType<typeof credentialsOf>>[number];

/** Passkeys of an earlier page, which this file's log still names. */
let held: readonly Credential[] = [];

/**
 * A virtual authenticator that approves everything. Returns a function that keeps its passkeys for
 * the next page.
 */
async function authenticator(page: Page): Promise<() => Promise<void>> {
  const { cdp, authenticatorId } = await addAuthenticator(page);
  for (const credential of held) await cdp.send('WebAuthn.addCredential', { authenticatorId, credential });
  return async () => void (held = await credentialsOf(cdp, authenticatorId));
}

async function credentialsOf(cdp: CDPSession, authenticatorId: string) {
  return (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials;
}

async function press(page: Page, name: string): Promise<void> {
  const button = page.locator('[role=alertdialog], [role=dialog]').getByRole('button', { name, exact: true });
  await expect(button).not.toHaveAttribute('aria-disabled', 'true');
  for (let presses = 0; presses < 20 && !(await button.evaluate((at) => at === document.activeElement)); presses++)
    await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
}

async function recorded(admin: Admin, satoshi: string): Promise<DepositRow> {
  const stamp = Date.now().toString(16);
  const txid = stamp.padStart(64, 'c');
  const post = (path: string) => admin.page.request.post(`${admin.url}/dev/bitcoin/${path}`);
  expect((await post(`pay/${txid}/${coboAddress}/${satoshi}`)).ok()).toBe(true);
  expect((await post('blocks/7')).ok()).toBe(true);
  const { done } = await admin.run('deposits.add', {
    params: {
      userAddress: toChecksumAddress(`0x${stamp.padStart(40, 'e')}`),
      amount: satoshi,
      coboAddress: coboAddress,
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
  const deposit = await recorded(admin, '150000001');

  const keep = await authenticator(page);
  await admin.signIn('approver', '/');
  await page.keyboard.press('g');
  await page.keyboard.press('q');
  await expect(page).toHaveURL(/\/selfCustody\/authority$/);
  await expect(page.locator('[data-authority] [data-development]')).toBeVisible();
  await admin.palette('authority.enrol');
  await expect(page.getByRole('dialog')).toContainText('您的签署证明您持有该密钥，之后还需 1 位签署人签署。');
  await page.getByRole('dialog').getByRole('button', { name: '注册密钥' }).click();
  await expect(page.getByText(/密钥已提议，请将六个词读给 1 位签署人核对/)).toBeVisible();
  await keep();

  await admin.signIn('all', '/');
  await page.locator('[data-waiting=statements] a').focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/authority\?mine=true$/);
  await expect(page.getByRole('row').filter({ hasText: '新增签署人 approver@demo.local（通行密钥）' })).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('Shift+A');
  await expect(review(page).locator('[data-content]')).toContainText('approver@demo.local');
  await expect(review(page).locator('[data-hash]')).toHaveAttribute('data-hash', /^[0-9a-f]{64}$/); // computed by the page
  const heard = review(page).getByRole('checkbox', { name: /本人读出这六个词/ });
  await heard.focus();
  await page.keyboard.press('Space');
  await expect(heard).toBeChecked();
  await press(page, '签署授权单');
  await expect(page.getByText(/已签署 #\d+，签署人数已满足/)).toBeVisible();
  await expect(page.locator('[data-authority]')).toContainText('通行密钥');

  await admin.signIn('approver', `/selfCustody/deposit?open=${deposit.id}`);
  await expect(drawer(page).locator('[data-evidence="holds"]')).toBeVisible();
  await page.keyboard.press('Shift+M');
  await press(page, '签署并铸造');
  await expect(page.getByText('存款已确认，正在铸造 YBTC')).toBeVisible();
  await expect(drawer(page).locator('[data-progress="final"]')).toBeVisible({ timeout: 60_000 });

  await admin.open(place);
  const downloading = page.waitForEvent('download');
  await admin.palette('authority.export');
  const file = await (await downloading).path();
  const lines = (await readFile(file, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as LogLine);
  expect(lines[0]?.kind).toBe('genesis');
  const approval = lines.find(
    (line) => line.kind === 'statement' && line.statement.kind === 'mint.approve' && line.statement.content.txid === deposit.txid,
  );
  expect(approval).toMatchObject({
    statement: { content: { satoshi: '150000001', custody: coboAddress, receiver: deposit.userAddress } },
  });
  const proofs = lines.flatMap((line) => (line.kind === 'genesis' ? [] : [line.proof.type]));
  expect(proofs.filter((type) => type === 'passkey')).toHaveLength(2);
});

test(
  'a person who cancels the signature keeps the enrolled key as a draft and signs it later in the log',
  { tag: '@long' },
  async ({ admin, page }) => {
    await authenticator(page);
    await admin.signIn('all', place);
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
    await press(page, '签署授权单');
    await expect(page.getByText('已确认密钥归您所有，需由其他管理员签署')).toBeVisible();
  },
);

test(
  'every other statement is proposed, opened, copied by hash and signed by script, with a colleague where two are needed',
  { tag: '@long' },
  async ({ admin, context, page }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await authenticator(page);
    const summary = async (): Promise<AuthoritySummary> => {
      const authorization = await admin.page.evaluate(() => localStorage.getItem('Authorization') ?? '');
      const response = await admin.page.request.post(`${admin.url}/rpc/authority/summary`, {
        headers: { authorization },
        data: {},
      });
      return ((await response.json()) as { json: AuthoritySummary }).json;
    };
    /** Returns the statement in the log. */
    const propose = async (id: CommandId, params: Record<string, unknown>): Promise<StatementRow> => {
      const [row] = (await admin.runAny(id, { params, confirm: true })).done as StatementRow[];
      if (!row) throw new Error(`${id} proposed nothing`);
      return row;
    };
    /** A colleague signs where one person is not enough. */
    const inForce = async (id: CommandId, params: Record<string, unknown>) => {
      const { id: statement, state } = await propose(id, params);
      if (state === 'inForce') return;
      await admin.signIn('approver', place);
      const { done } = await admin.run('authority.sign', { targets: [statement], confirm: true });
      expect(done, id).toMatchObject([{ state: 'inForce' }]);
      await admin.signIn('all', place);
    };
    const [reason, institution] = ['tried by script', toChecksumAddress(`0x${'ab'.repeat(20)}`)];
    const wpkh = (byte: number) =>
      Address(bitcoinParameters.mainnet).encode({ type: 'wpkh', hash: new Uint8Array(20).fill(byte) });

    await admin.signIn('approver', place);
    await inForce('authority.addCustody', { address: wpkh(1), note: 'first' });
    await admin.signIn('all', place);
    await inForce('authority.removeCustody', { address: wpkh(1), reason });
    await inForce('authority.addReceiver', { institution: 'Run', address: institution, custody: [] });
    await inForce('authority.removeReceiver', { address: institution, reason });
    await inForce('authority.freeze', { reason });
    const [frozen] = (await summary()).freezes;
    await inForce('authority.unfreeze', { freeze: String(frozen?.freeze), reason });
    expect((await summary()).freezes).toEqual([]);
    await inForce('authority.setMinter', { address: institution, reason });

    await inForce('authority.setRules', { root: '2', coolingSeconds: '0', receivers: 'any', bands: '0 |  | 1 |  |  | 0' });
    const root = (await summary()).people.find(({ name }) => name === 'development');
    const removed = await propose('authority.removeApprover', { person: root?.person, reason });
    expect(removed).toMatchObject({ state: 'open' });
    await admin.run('authority.open', { targets: [removed.id] });
    await expect(admin.page.locator('[data-record]')).toContainText(reason);
    await admin.run('authority.copyHash', { targets: [removed.id] });
    expect(await admin.page.evaluate(() => navigator.clipboard.readText())).toBe(removed.id);
    await admin.signIn('approver', place);
    await admin.run('authority.sign', { targets: [removed.id], confirm: true });
    expect((await summary()).people.map(({ name }) => name)).not.toContain('development');
  },
);
