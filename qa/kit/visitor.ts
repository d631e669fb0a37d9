import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { PanelError } from './error.ts';
import type { CommandClient } from './client.ts';

export interface VisitEvent {
  page: string;
  at?: Date;
  chainId?: number;
  /** Satoshi. */
  btcDeposited?: string;
  /** Wei. */
  yuMinted?: string;
  address?: string;
  vaultId?: string;
}

export interface WalletEvent {
  address: string;
  wallet: string;
  at?: Date;
  chainId?: number;
}

/** The server refuses faster visitors. */
const writeIntervalMs = 3_100;

/** The form's token, once it may be sent. */
export async function openForm({ request, url, environment }: CommandClient): Promise<string> {
  const form = await request.get(`${url}/public/feedback/form`);
  const { token } = (await form.json()) as { token: string };
  if (!(await environment.isUnlimited())) await sleep(writeIntervalMs);
  return token;
}

export async function sendFeedback(panel: CommandClient, { email, content }: { email: string; content: string }): Promise<void> {
  const token = await openForm(panel);
  const response = await panel.request.post(`${panel.url}/public/feedback`, { data: { email, content, token } });
  if (response.ok()) return;
  const { code = 'ERROR' } = ((await response.json().catch(() => null)) ?? {}) as { code?: string };
  throw new PanelError('make feedback', { code, message: code === 'TOO_MANY_REQUESTS' ? rateLimitHint : '' });
}

const rateLimitHint = 'the website form is rate limited. Turn limits off with admin.environment.limits("off")';

export async function sendEvents(
  panel: CommandClient,
  path: 'visits' | 'wallet-connections',
  events: readonly (VisitEvent | WalletEvent)[],
): Promise<void> {
  const now = Date.now() + (await panel.environment.aheadMs());
  const sentEvents = events.map(({ at = new Date(now), ...rest }) => ({ id: randomUUID(), at: at.toISOString(), ...rest }));
  const { ok, body } = await panel.post(`/public/${path}`, { events: sentEvents });
  const { refused = [], code = 'ERROR' } = (body ?? {}) as { refused?: readonly number[]; code?: string };
  if (!ok) throw new PanelError(`make ${path}`, { code, message: JSON.stringify(body) });
  if (refused.length > 0)
    throw new PanelError(`make ${path}`, {
      code: 'INVALID',
      message: `timestamp is too old or in the future: ${refused.join(', ')}`,
    });
}
