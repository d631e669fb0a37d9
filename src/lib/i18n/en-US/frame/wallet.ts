export const wallet = {
  title: 'Connect wallet',
  bindIntro: 'Sign a message to prove the address is yours. After that, you can sign in with this wallet.',
  looking: 'Looking for wallets…',
  choose: 'Choose a wallet',
  waitConnect: 'Check your wallet. {{name}} is asking you to connect.',
  waitSign: 'Check your wallet. {{name}} is asking you to sign a message. Signing is free and doesn’t move any funds.',
  install: 'No Bitcoin wallet was found in this browser. Install UniSat, OKX Wallet or Xverse, then reload the page.',
  network: { mainnet: 'Bitcoin', testnet: 'Bitcoin Testnet', signet: 'Bitcoin Signet', regtest: 'Bitcoin Regtest' },
  failed: {
    network: 'Your wallet is on another network. Switch it to {{network}}.',
    rejected: 'You declined in your wallet. Nothing was signed.',
    pending: 'Your wallet has a request open. Answer it, then try again.',
    unsupported: 'This wallet doesn’t support this action. Update it or use another one.',
    failed: 'Your wallet sent an unexpected response. Try again. If the problem continues, update the wallet or use another one.',
    signature: 'The signature couldn’t be verified. Try again.',
  },
};
