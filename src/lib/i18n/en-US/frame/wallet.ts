export const wallet = {
  title: 'Connect wallet',
  bindIntro: 'Sign a message to prove the address is yours. After that, you can sign in with this wallet.',
  looking: 'Looking for wallets…',
  choose: 'Choose a wallet',
  waitConnect: 'Check your wallet. {{name}} is asking you to connect.',
  waitSign: 'Check your wallet. {{name}} is asking you to sign a message. Signing is free and doesn’t move any funds.',
  install: 'No Bitcoin wallet was found in this browser. Install UniSat, OKX Wallet or Xverse, then reload the page.',
  network: { mainnet: 'Bitcoin mainnet', testnet: 'Bitcoin testnet', signet: 'Bitcoin signet', regtest: 'Bitcoin regtest' },
  failed: {
    network: 'Your wallet is on another network. Switch the wallet to {{network}}.',
    rejected: 'You declined in your wallet. Nothing was signed.',
    pending: 'Your wallet already has a request open. Answer the open request, then try again.',
    unsupported: 'Your wallet doesn’t support this action. Update the wallet or use another one.',
    failed:
      'Your wallet sent an unexpected response. Try again, or update the wallet or use another one if the problem continues.',
    signature: 'The signature couldn’t be verified. Try again.',
  },
};
