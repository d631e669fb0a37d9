export const walletName = (zh: string, en: string): string => (isEnglish() ? `⚠ Demo wallet · ${en}` : `⚠ 演示钱包 · ${zh}`);

const isEnglish = () => document.documentElement.lang.startsWith('en');
const words = () =>
  isEnglish()
    ? 'Demo wallet: everybody knows its keys. For this machine’s devnet alone.'
    : '演示钱包：密钥人人皆知，仅限本机的开发网。';

const key = 'demo-wallet';

/** Kept across reloads, like an extension's. */
export const connectedWallets = new Set<string>((localStorage.getItem(key) ?? '').split(' ').filter(Boolean));

/** Shows a red notice while any is connected. */
export function rememberConnected(id: string, isConnected: boolean): void {
  if (isConnected) connectedWallets.add(id);
  else connectedWallets.delete(id);
  localStorage.setItem(key, [...connectedWallets].join(' '));
  showNotice();
}

const notice = document.createElement('p');
notice.setAttribute('role', 'note');
notice.dataset['demoWallet'] = '';
Object.assign(notice.style, {
  position: 'fixed',
  insetBlockEnd: '0',
  left: '50%',
  transform: 'translateX(-50%)',
  whiteSpace: 'nowrap',
  zIndex: '1',
  padding: '1px 8px',
  font: '500 12px/16px system-ui',
  color: 'white',
  background: '#b3261e',
  pointerEvents: 'none',
});

function showNotice(): void {
  notice.textContent = words();
  notice.hidden = connectedWallets.size === 0;
  if (!notice.isConnected) document.body.append(notice);
}
showNotice();
