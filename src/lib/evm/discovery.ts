/** EIP-6963 announcement. */
export interface AnnouncedWallet {
  /** Self-attested reverse domain name, or the announced random id if the name is a duplicate. */
  id: string;
  name: string;
  provider: Eip1193;
}

export interface Eip1193 {
  request(request: { method: string; params?: unknown }): Promise<unknown>;
  on?(event: string, listener: (payload: unknown) => void): unknown;
  removeListener?(event: string, listener: (payload: unknown) => void): unknown;
}

const announcedWallets = new Map<string, AnnouncedWallet>();

export function discoverWallets(): AnnouncedWallet[] {
  addEventListener('eip6963:announceProvider', onAnnounced);
  dispatchEvent(new Event('eip6963:requestProvider'));
  return [...announcedWallets.values()];
}

/** Any extension can announce, so check the shape. Wallets announce again on each request. */
function onAnnounced(event: Event): void {
  const { info, provider } = ((event as CustomEvent<unknown>).detail ?? {}) as {
    info?: Partial<Record<string, unknown>>;
    provider?: Eip1193;
  };
  const { uuid, name, rdns } = info ?? {};
  if (typeof uuid !== 'string' || typeof name !== 'string' || name.trim() === '' || typeof provider?.request !== 'function')
    return;
  if (
    announcedWallets.size >= 20 ||
    [...announcedWallets.values()].some((announcedWallet) => announcedWallet.provider === provider)
  )
    return;
  const isUniqueRdns = typeof rdns === 'string' && /^[\w-]+(\.[\w-]+)+$/.test(rdns) && !announcedWallets.has(rdns);
  announcedWallets.set(isUniqueRdns ? rdns : uuid, { id: isUniqueRdns ? rdns : uuid, name: name.trim().slice(0, 40), provider });
}
