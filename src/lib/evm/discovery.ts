/** What an extension announces by EIP-6963. */
export interface Announced {
  /** Reverse domain name, self-attested; the random id of this page where another wallet has the same. */
  id: string;
  name: string;
  provider: Eip1193;
}

/** EIP-1193. */
export interface Eip1193 {
  request(asked: { method: string; params?: unknown }): Promise<unknown>;
  on?(event: string, listener: (payload: unknown) => void): unknown;
  removeListener?(event: string, listener: (payload: unknown) => void): unknown;
}

const found = new Map<string, Announced>();

/** The wallets of this browser, as they announce themselves: asked for anew at each call. */
export function discoverWallets(): Announced[] {
  addEventListener('eip6963:announceProvider', hear); // once, however often it is said
  dispatchEvent(new Event('eip6963:requestProvider'));
  return [...found.values()];
}

/** Anybody can announce: taken only where it looks right. A wallet announces itself again at every question. */
function hear(event: Event): void {
  const { info, provider } = ((event as CustomEvent<unknown>).detail ?? {}) as {
    info?: Partial<Record<string, unknown>>;
    provider?: Eip1193;
  };
  const { uuid, name, rdns } = info ?? {};
  if (typeof uuid !== 'string' || typeof name !== 'string' || name.trim() === '' || typeof provider?.request !== 'function')
    return;
  if (found.size >= 20 || [...found.values()].some((known) => known.provider === provider)) return;
  const isOwn = typeof rdns === 'string' && /^[\w-]+(\.[\w-]+)+$/.test(rdns) && !found.has(rdns);
  found.set(isOwn ? rdns : uuid, { id: isOwn ? rdns : uuid, name: name.trim().slice(0, 40), provider });
}
