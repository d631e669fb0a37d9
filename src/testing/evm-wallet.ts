import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { vi } from 'vitest';
import { connectWallet, disconnectWallet } from '../lib/evm/wallet.ts';

// An EIP-6963 wallet outside a browser, connected by the panel's own code.

export type WalletResponses = Record<string, (params: never) => unknown>;

export interface TestEvmWallet {
  readonly id: string;
  readonly asked: { method: string; params?: unknown }[];
  /** Resolves once the page has handled the event. */
  tell(event: string, payload: unknown): Promise<void>;
  leave(): Promise<void>;
}

// One wallet for all tests of a page, because a page accepts about twenty.
const page = new EventTarget();
const eventEmitter = new EventEmitter();
const walletState: { answers: WalletResponses; asked: TestEvmWallet['asked'] } = { answers: {}, asked: [] };
const request = async (walletRequest: { method: string; params?: unknown }): Promise<unknown> => {
  walletState.asked.push(walletRequest);
  const respond = walletState.answers[walletRequest.method === 'eth_requestAccounts' ? 'eth_accounts' : walletRequest.method];
  if (!respond) throw Object.assign(new Error(`no ${walletRequest.method} here`), { code: 4200 });
  return respond(walletRequest.params as never);
};
const providerInfo = { uuid: randomUUID(), name: 'Test' };
const detail = {
  info: providerInfo,
  provider: { request, on: eventEmitter.on.bind(eventEmitter), removeListener: eventEmitter.off.bind(eventEmitter) },
};
const announceProvider = () => page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
page.addEventListener('eip6963:requestProvider', announceProvider);

export function offerTestWallet(responses: WalletResponses): TestEvmWallet {
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('dispatchEvent', page.dispatchEvent.bind(page));
  const recordedRequests: TestEvmWallet['asked'] = [];
  Object.assign(walletState, { answers: responses, asked: recordedRequests });
  return {
    id: providerInfo.uuid,
    asked: recordedRequests,
    async tell(event, payload) {
      eventEmitter.emit(event, payload);
      await setImmediate();
    },
    async leave() {
      await disconnectWallet();
      vi.unstubAllGlobals();
    },
  };
}

export async function connectTestWallet(responses: WalletResponses): Promise<TestEvmWallet> {
  const wallet = offerTestWallet(responses);
  await connectWallet(wallet.id);
  return wallet;
}
