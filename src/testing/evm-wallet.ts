import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { vi } from 'vitest';
import { connectWallet, disconnectWallet } from '../lib/evm/wallet.ts';

// An EIP-6963 wallet outside a browser, connected by the panel's own code.

export type WalletAnswers = Record<string, (params: never) => unknown>;

export interface OfferedTestWallet {
  readonly id: string;
  readonly asked: { method: string; params?: unknown }[];
  /** Resolves once the page has handled the event. */
  tell(event: string, payload: unknown): Promise<void>;
  leave(): Promise<void>;
}

// One wallet for all tests of a page, because a page accepts about twenty.
const page = new EventTarget();
const heard = new EventEmitter();
const now: { answers: WalletAnswers; asked: OfferedTestWallet['asked'] } = { answers: {}, asked: [] };
const request = async (call: { method: string; params?: unknown }): Promise<unknown> => {
  now.asked.push(call);
  const answer = now.answers[call.method === 'eth_requestAccounts' ? 'eth_accounts' : call.method];
  if (!answer) throw Object.assign(new Error(`no ${call.method} here`), { code: 4200 });
  return answer(call.params as never);
};
const info = { uuid: randomUUID(), name: 'Test' };
const detail = { info, provider: { request, on: heard.on.bind(heard), removeListener: heard.off.bind(heard) } };
const announce = () => page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
page.addEventListener('eip6963:requestProvider', announce);

export function offerTestWallet(answers: WalletAnswers): OfferedTestWallet {
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('dispatchEvent', page.dispatchEvent.bind(page));
  const requested: OfferedTestWallet['asked'] = [];
  Object.assign(now, { answers, asked: requested });
  return {
    id: info.uuid,
    asked: requested,
    async tell(event, payload) {
      heard.emit(event, payload);
      await setImmediate();
    },
    async leave() {
      await disconnectWallet();
      vi.unstubAllGlobals();
    },
  };
}

export async function connectTestWallet(answers: WalletAnswers): Promise<OfferedTestWallet> {
  const wallet = offerTestWallet(answers);
  await connectWallet(wallet.id);
  return wallet;
}
