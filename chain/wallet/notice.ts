export const formatWalletName = (zh: string, en: string): string =>
  isEnglish() ? `⚠ Demo wallet · ${en}` : `⚠ 演示钱包 · ${zh}`;

const isEnglish = () => document.documentElement.lang.startsWith('en');
const getNoticeText = () =>
  isEnglish()
    ? 'Demo wallet: everybody knows its keys. For this machine’s devnet alone.'
    : '演示钱包：密钥人人皆知，仅限本机的开发网。';

const storageKey = 'demo-wallet';

/** Kept across reloads, like an extension's. */
export const connectedWallets = new Set<string>((localStorage.getItem(storageKey) ?? '').split(' ').filter(Boolean));

/** Shows a red notice while any is connected. */
export function setConnected(id: string, isConnected: boolean): void {
  if (isConnected) connectedWallets.add(id);
  else connectedWallets.delete(id);
  localStorage.setItem(storageKey, [...connectedWallets].join(' '));
  updateNotice();
}

const noticeElement = document.createElement('p');
noticeElement.setAttribute('role', 'note');
noticeElement.dataset['demoWallet'] = '';
Object.assign(noticeElement.style, {
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

function updateNotice(): void {
  noticeElement.textContent = getNoticeText();
  noticeElement.hidden = connectedWallets.size === 0;
  if (!noticeElement.isConnected) document.body.append(noticeElement);
}
updateNotice();
