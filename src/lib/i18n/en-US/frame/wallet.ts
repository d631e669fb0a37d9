export const wallet = {
  title: 'Connect a wallet',
  bindIntro: 'The wallet signs a message that shows the address is yours. From then on it can sign in as you.',
  looking: 'Looking for wallets…',
  choose: 'Choose a wallet',
  waitConnect: 'Check your wallet: {{name}} asks you to connect.',
  waitSign: 'Check your wallet: {{name}} asks you to sign a message. It costs nothing and moves nothing.',
  install: 'No Bitcoin wallet was found in this browser. Install UniSat, OKX Wallet or Xverse and reload this page.',
  network: { mainnet: 'Bitcoin', testnet: 'Bitcoin Testnet', signet: 'Bitcoin Signet', regtest: 'Bitcoin Regtest' },
  failed: {
    network: 'Your wallet is on another network. Please switch it to {{network}}.',
    rejected: 'You declined in your wallet. Nothing was signed.',
    pending: 'Your wallet is still asking something. Answer it there, then try again.',
    unsupported: 'This wallet cannot do this. Update it or use another one.',
    failed: 'Your wallet did not answer as expected. Please try again.',
    signature: 'The signature was not accepted. Please try again.',
  },
};
