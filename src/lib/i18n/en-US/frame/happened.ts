const imported = {
  cancelImport: 'Import canceled',
  resumeImport: 'Import resumed',
  undoImport: 'Import undone',
};

/** For commands whose verb is not enough. `{{of}}`: the affected records. */
export const happened = {
  account: {
    addPasskey: 'Passkey added',
    addTotp: 'Authenticator app set up',
    bindWallet: 'Wallet linked',
    endSession: 'Session ended',
    newRecoveryCodes: 'New recovery codes generated',
    removePasskey: 'Passkey removed',
    removeTotp: 'Authenticator app removed',
    unbindWallet: 'Wallet unlinked',
  },
  administrators: {
    bindWallet: 'Wallet linked to {{of}}',
    endSessions: 'Sessions of {{of}} ended',
    resetFactor: 'Second factor of {{of}} reset',
    resetPassword: 'Password link for {{of}}',
    unbindWallet: 'Wallet unlinked from {{of}}',
  },
  airdrops: {
    setLevel: 'NFT level of {{of}} set',
    setStage: 'Stage of {{of}} set',
    ...imported,
  },
  crsm: {
    acceptDebtGasCompensation: 'Debt gas compensation accepted',
    claimAllCollateralGains: 'Collateral gains claimed',
    claimYield: 'Yield claimed',
    commitDebtGasCompensation: 'Debt gas compensation committed',
    create: 'CRSM created',
    deposit: 'YU deposited',
    repay: 'Debt repaid',
    updateCR: 'Ratios updated',
    withdraw: 'Idle YU withdrawn',
    withdrawFromSP: 'YU withdrawn from the stability pool',
  },
  dataPanel: { rename: 'Institution renamed' },
  deposits: { add: 'Deposit added', edit: 'Deposit updated', retryMint: 'Mint queued again' },
  draws: imported,
  feedback: { processNext: '{{of}} marked as processed', reply: 'Reply to {{of}}' },
  news: { join: '2 news items joined into {{of}}', undoJoin: 'Join of {{of}} undone' },
  permissions: { addMenu: '{{of}} added', addSubmenu: '{{of}} added', move: '{{of}} moved', reset: 'Permission tree reset' },
  points: imported,
  roles: { copy: 'Role copied as {{of}}' },
  services: {
    addToken: 'Token added to {{of}}',
    revokeToken: 'Token of {{of}} revoked',
    rotateToken: 'Token of {{of}} rotated',
  },
  session: { changePassword: 'Password changed' },
  teams: imported,
  views: { delete: 'View deleted', rename: 'View renamed to {{of}}', save: 'View {{of}} saved' },
  withdrawals: {
    add: 'Withdrawal added',
    cancel: 'Withdrawal voided',
    offerAgain: 'Second refund request allowed',
  },
};
