import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { request, test as playwright } from '@playwright/test';
import { replacePassword } from './account.ts';
import { PanelError } from './error.ts';
import type { CommandClient } from './client.ts';
import type { Commands, Rows } from './commands.ts';
import type { Anything, CommandId } from './result.ts';
import type { Account } from './sign-in.ts';
import { sendEvents, sendFeedback, type VisitEvent, type WalletEvent } from './visitor.ts';

type PartialFields<Id extends CommandId> = Partial<NonNullable<Commands[Id]['params']>>;

const picture = 'https://example.com/a.png';
const name = (prefix: string) => `${prefix} ${randomBytes(4).toString('hex')}`;
const evmAddress = () => `0x${randomBytes(20).toString('hex')}`;
const createdByTest = 'Made by a test';

/** Creates records and removes them after the test. */
export class Make {
  readonly #panel: CommandClient;
  readonly #made: CreatedRecord[] = [];
  constructor(panel: CommandClient) {
    this.#panel = panel;
  }

  async news(fields: PartialFields<'news.add'> = {}): Promise<Rows['news']> {
    const params = { title: name('News'), description: createdByTest, image: picture, link: 'https://example.com', ...fields };
    const { done } = await this.#panel.run('news.add', { params });
    return this.#keep('news.delete', done[0]);
  }

  async notice(fields: PartialFields<'notices.add'> = {}): Promise<Rows['notices']> {
    const { done } = await this.#panel.run('notices.add', {
      params: { content: name('Notice'), link: 'https://example.com', ...fields },
    });
    return this.#keep('notices.delete', done[0]);
  }

  async role(fields: PartialFields<'roles.add'> = {}): Promise<Rows['roles']> {
    const { done } = await this.#panel.run('roles.add', {
      params: { name: name('Role'), description: createdByTest, grants: ['/'], ...fields },
    });
    return this.#keep('roles.delete', done[0]);
  }

  /** An account whose password a colleague chose. */
  async administrator(fields: PartialFields<'administrators.add'> = {}): Promise<Rows['administrators'] & { password: string }> {
    const roles = fields.roles ?? [(await this.role()).id];
    const password = fields.password ?? randomBytes(12).toString('hex');
    const email = `${name('qa').replace(' ', '-')}@example.com`;
    const { done } = await this.#panel.run('administrators.add', {
      params: { email, description: createdByTest, ...fields, roles, password },
    });
    return { ...this.#keep('administrators.delete', done[0]), password };
  }

  /** An account ready to sign in with these paths and command ids. Needs a test environment, whose mail it reads. */
  async account(grants: readonly string[] = ['/']): Promise<Account> {
    const role = await this.role({ grants });
    const { email, password } = await this.administrator({ roles: [role.id] });
    const context = await request.newContext();
    try {
      const accountPassword = await replacePassword(context, this.#panel.url, { email, password }, () =>
        this.#panel.environment.mail(email),
      );
      return { ...accountPassword, label: 'made for a test' };
    } finally {
      await context.dispose();
    }
  }

  async airdrop(fields: PartialFields<'airdrops.add'> = {}): Promise<Rows['airdrops']> {
    const params = { address: evmAddress(), berries: '10', nftNumber: 1, nftLevel: 1, stage: 'QA', ...fields };
    const { done } = await this.#panel.run('airdrops.add', { params });
    return this.#keep('airdrops.delete', done[0]);
  }

  /** A points entry, reversed afterwards. */
  async points(fields: PartialFields<'points.adjust'> = {}): Promise<Rows['points']> {
    const params = { address: evmAddress(), berries: '10', reason: createdByTest, ...fields };
    const { value } = await this.#panel.run('points.adjust', { params, confirm: true });
    this.#undoWith('points.reverse', { targets: [value.entry.id], params: { reason: createdByTest } });
    return value.entry;
  }

  /** A saved view of the account. */
  async view(fields: PartialFields<'views.save'> = {}): Promise<Commands['views.save']['value']> {
    const params = { name: name('View'), place: '/news', query: 'shown=true', ...fields };
    const { value } = await this.#panel.run('views.save', { params });
    this.#undoWith('views.delete', { params: { view: value.id } });
    return value;
  }

  /** A node of the permission tree. */
  async permission(parentPath: string, fields: PartialFields<'permissions.add'> = {}): Promise<Rows['permissions']> {
    const identifier = name('qa').replace(' ', '.');
    const { done } = await this.#panel.run('permissions.add', {
      targets: [parentPath],
      params: { identifier, zh: identifier, en: identifier, ...fields },
    });
    return this.#keep('permissions.delete', done[0]);
  }

  /** A deposit with `blocks` confirmations. Confirmed ones stay. */
  async deposit({
    btc,
    blocks = 7,
    ...some
  }: { btc: string; blocks?: number } & PartialFields<'deposits.add'>): Promise<Rows['deposits']> {
    const amount = satoshiOf(btc);
    const txid = randomBytes(32).toString('hex');
    const [knownDeposits] = await this.#panel.read('deposits', { limit: 1 });
    const { coboAddress = knownDeposits?.coboAddress, userAddress = knownDeposits?.userAddress } = some;
    if (!coboAddress || !userAddress) throw new Error('no deposit to copy addresses from. Pass coboAddress and userAddress');
    for (const path of [`pay/${txid}/${coboAddress}/${amount}`, `blocks/${blocks}`]) {
      const { ok } = await this.#panel.post(`/dev/bitcoin/${path}`);
      if (!ok) throw new PanelError('make deposit', { code: 'NOT_FOUND', message: 'this panel has no demo Bitcoin' });
    }
    const { done } = await this.#panel.run('deposits.add', { params: { ...some, userAddress, amount, coboAddress, txid } });
    return this.#keep('deposits.delete', done[0]);
  }

  /** A withdrawal of a minted deposit. Requested ones stay. */
  async withdrawal(withdrawalInput?: { depositId: string; receiver: string }): Promise<Rows['withdrawals']> {
    const { depositId, receiver } = withdrawalInput ?? (await this.#payable());
    const { done } = await this.#panel.run('withdrawals.add', { params: { depositId, receiver }, confirm: true });
    return this.#keep('withdrawals.cancel', done[0]);
  }

  /** Feedback from the website. Waits three seconds unless limits are off. */
  async feedback(fields: { email?: string; content?: string } = {}): Promise<Rows['feedback']> {
    const { email = `${randomBytes(6).toString('hex')}@example.com`, content = name('Feedback') } = fields;
    await sendFeedback(this.#panel, { email, content });
    const rows = await this.#panel.read('feedback', { filter: { email } });
    const row = rows.find((candidate) => candidate.content === content);
    if (!row) throw new PanelError('make feedback', { code: 'NOT_FOUND', message: 'the panel rejected it as automated' });
    return this.#keep('feedback.delete', row);
  }

  /** Website visits, which only `reset` and `restore` remove. */
  visits(...events: VisitEvent[]): Promise<void> {
    return sendEvents(this.#panel, 'visits', events);
  }

  /** Wallet connections, which only `reset` and `restore` remove. */
  walletConnections(...events: WalletEvent[]): Promise<void> {
    return sendEvents(this.#panel, 'wallet-connections', events);
  }

  /** Waits, because a fresh demo panel mints its deposits in its first seconds. */
  async #payable(): Promise<{ depositId: string; receiver: string }> {
    for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(500)) {
      for (const { value: depositId } of await this.#panel.options('withdrawals.add', 'depositId')) {
        const [payoutOption] = await this.#panel.options('withdrawals.add', 'receiver', { params: { depositId } });
        if (payoutOption) return { depositId, receiver: payoutOption.value };
      }
    }
    throw new Error('Every minted deposit with a payout address already has a withdrawal. Pass depositId and receiver.');
  }

  #keep<Row extends { id: string }>(command: CommandId, row: Row): Row {
    this.#undoWith(command, { targets: [row.id] });
    return row;
  }

  #undoWith(command: CommandId, undoOptions: Anything): void {
    this.#made.push({ command, given: undoOptions });
  }

  /** Removes records, last first. Annotates failures. */
  async unmake(): Promise<void> {
    for (const { command, given } of groupByCommand(this.#made.splice(0).reverse())) await this.#takeAway(command, given);
  }

  async #takeAway(command: CommandId, undoOptions: Anything): Promise<void> {
    await this.#panel.runAny(command, { ...undoOptions, confirm: true }).catch(async (error: unknown) => {
      if (!(error instanceof PanelError)) throw error;
      const { targets = [] } = undoOptions;
      // One may be gone or in use.
      if (targets.length > 1) for (const target of targets) await this.#takeAway(command, { targets: [target] });
      else if (error.code !== 'NOT_FOUND')
        playwright.info().annotations.push({ type: 'left behind', description: error.message });
    });
  }
}

type CreatedRecord = { command: CommandId; given: Anything };

/** At most 200 per command. */
function groupByCommand(createdRecords: readonly CreatedRecord[]): CreatedRecord[] {
  const groups: CreatedRecord[] = [];
  for (const { command, given } of createdRecords) {
    const lastGroup = groups.at(-1);
    const isSame = lastGroup?.command === command && command.endsWith('.delete') && !given.params;
    const targets = [...(lastGroup?.given.targets ?? []), ...(given.targets ?? [])];
    if (lastGroup && isSame && targets.length <= 200) lastGroup.given = { targets };
    else groups.push({ command, given });
  }
  return groups;
}

function satoshiOf(btc: string): string {
  const [, wholeBitcoin = '', fraction = ''] = /^(\d{1,8})(?:\.(\d{1,8}))?$/.exec(btc) ?? [];
  if (wholeBitcoin === '') throw new Error(`${btc} isn’t a bitcoin amount`);
  return BigInt(`${wholeBitcoin}${fraction.padEnd(8, '0')}`).toString();
}
