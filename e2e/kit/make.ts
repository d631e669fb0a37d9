import { randomBytes } from 'node:crypto';
import { PanelError } from './error.ts';
import type { Panel } from './panel.ts';
import type { Commands, Rows } from './commands.ts';
import type { CommandId } from './result.ts';

type Some<Id extends CommandId> = Partial<NonNullable<Commands[Id]['params']>>;

const picture = 'https://example.com/a.png';
const name = (what: string) => `${what} ${randomBytes(4).toString('hex')}`;

/** Records that a test needs, as the account may make them; they are gone when the test is over. */
export class Make {
  readonly #panel: Panel;
  readonly #made: { command: CommandId; id: string }[] = [];
  constructor(panel: Panel) {
    this.#panel = panel;
  }

  async news(some: Some<'news.add'> = {}): Promise<Rows['news']> {
    const params = { title: name('News'), description: 'Made by a test', image: picture, link: 'https://example.com', ...some };
    const { done } = await this.#panel.run('news.add', { params });
    return this.#keep('news.delete', done[0]);
  }

  async notice(some: Some<'notices.add'> = {}): Promise<Rows['notices']> {
    const { done } = await this.#panel.run('notices.add', {
      params: { content: name('Notice'), link: 'https://example.com', ...some },
    });
    return this.#keep('notices.delete', done[0]);
  }

  async role(some: Some<'roles.add'> = {}): Promise<Rows['roles']> {
    const { done } = await this.#panel.run('roles.add', {
      params: { name: name('Role'), description: 'Made by a test', grants: ['/'], ...some },
    });
    return this.#keep('roles.delete', done[0]);
  }

  /** A deposit that the demo's Bitcoin has, `blocks` deep. It goes with the test as long as nobody has confirmed it. */
  async deposit({
    btc,
    blocks = 7,
    ...some
  }: { btc: string; blocks?: number } & Some<'deposits.add'>): Promise<Rows['deposits']> {
    const amount = satoshiOf(btc);
    const txid = randomBytes(32).toString('hex');
    const [known] = await this.#panel.read('deposits', { limit: 1 });
    const { coboAddress = known?.coboAddress, userAddress = known?.userAddress } = some;
    if (!coboAddress || !userAddress)
      throw new Error('there is no deposit to take the addresses from: give coboAddress and userAddress');
    for (const path of [`pay/${txid}/${coboAddress}/${amount}`, `blocks/${blocks}`]) {
      const { ok } = await this.#panel.post(`/dev/bitcoin/${path}`);
      if (!ok) throw new PanelError('make deposit', { code: 'NOT_FOUND', message: 'this panel has no Bitcoin of a demo' });
    }
    const { done } = await this.#panel.run('deposits.add', { params: { ...some, userAddress, amount, coboAddress, txid } });
    return this.#keep('deposits.delete', done[0]);
  }

  #keep<Row extends { id: string }>(command: CommandId, row: Row): Row {
    this.#made.push({ command, id: row.id });
    return row;
  }

  /** Takes away what is still there, the last first. */
  async unmake(): Promise<void> {
    for (const { command, id } of this.#made.splice(0).reverse())
      await this.#panel.runAny(command, { targets: [id], confirm: true }).catch((error: unknown) => {
        // Gone already, built on, or nobody is signed in any more: the test's own doing.
        if (!(error instanceof PanelError)) throw error;
      });
  }
}

/** Bitcoin as people write it, in satoshi: exact. */
function satoshiOf(btc: string): string {
  const [, whole = '', part = ''] = /^(\d{1,8})(?:\.(\d{1,8}))?$/.exec(btc) ?? [];
  if (whole === '') throw new Error(`${btc} is no amount of bitcoin`);
  return BigInt(`${whole}${part.padEnd(8, '0')}`).toString();
}
