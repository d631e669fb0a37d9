export const ask = {
  account: {
    removeTotp: {
      title: 'Remove the authenticator app?',
      act: 'Remove the app',
      body: 'Its codes no longer sign you in. Without another second factor your recovery codes are worth nothing too.',
    },
    newRecoveryCodes: { title: 'Make new recovery codes?', act: 'Make new codes', body: 'The codes you have now stop working.' },
    removePasskey: { title: 'Remove this passkey?', act: 'Remove the passkey', body: 'It no longer signs you in.' },
    unbindWallet: {
      title: 'Unbind your wallet?',
      act: 'Unbind wallet',
      body: 'It can no longer sign in as you.',
    },
    endSession: { title: 'End this session?', act: 'End the session', body: 'That browser has to sign in again.' },
    endOtherSessions: {
      title: 'End all your other sessions?',
      act: 'End the others',
      body: 'Only this browser stays signed in.',
    },
  },
  administrators: {
    enable: {
      title: ({ count }: { count: number }) =>
        count === 1 ? 'Enable this administrator?' : `Enable these ${count} administrators?`,
      act: ({ count }: { count: number }) => `Enable ${count === 1 ? 'administrator' : `${count} administrators`}`,
      body: 'They can sign in again, with the rights of their roles.',
    },
    disable: {
      title: ({ count }: { count: number }) =>
        count === 1 ? 'Disable this administrator?' : `Disable these ${count} administrators?`,
      act: ({ count }: { count: number }) => `Disable ${count === 1 ? 'administrator' : `${count} administrators`}`,
      body: 'All their sessions end at once, and they cannot sign in.',
    },
    resetPassword: {
      title: "Reset this administrator's password?",
      act: 'Send the link',
      body: 'A one-time link goes to their mailbox, good for 24 hours. Earlier links stop working.',
    },
    resetFactor: {
      title: "Reset this administrator's second factor?",
      act: 'Reset second factor',
      body: 'Their authenticator app, passkeys and recovery codes are removed and all their sessions end. This cannot be undone.',
    },
    unbindWallet: {
      title: "Unbind this administrator's wallet?",
      act: 'Unbind wallet',
      body: 'They can no longer sign in with it.',
    },
    endSessions: {
      title: ({ count }: { count: number }) =>
        count === 1 ? 'End all sessions of this administrator?' : `End all sessions of these ${count} administrators?`,
      act: 'End all sessions',
      body: 'They must sign in again in every browser.',
    },
    delete: {
      title: ({ count }: { count: number }) =>
        count === 1 ? 'Delete this administrator?' : `Delete these ${count} administrators?`,
      act: ({ count }: { count: number }) => `Delete ${count === 1 ? 'administrator' : `${count} administrators`}`,
      body: 'Their sessions end at once; the record of what they did is kept. This cannot be undone.',
    },
  },
  deposits: {
    cancelMint: {
      title: 'Cancel this mint?',
      act: 'Cancel mint',
      body: 'It is never signed. Its deposit can be closed and recorded again.',
    },
    closeFailed: {
      title: 'Close this deposit, unminted?',
      act: 'Close deposit',
      body: 'The chain is asked that nothing was or can be minted. Its output can then be recorded again.',
    },
    addRule: {
      title: 'Add this mint rule?',
      act: 'Add rule',
      body: 'It holds at once, for every deposit of these amounts that is not confirmed yet.',
    },
    editRule: {
      title: 'Change this mint rule?',
      act: 'Modify rule',
      body: 'It holds at once, for every deposit of these amounts that is not confirmed yet.',
    },
    deleteRule: {
      title: 'Delete this mint rule?',
      act: 'Delete rule',
      body: 'Amounts that no rule has are not minted any more.',
    },
    approve: {
      title: 'Approve this deposit?',
      act: 'Approve',
      body: 'Check every value carefully. Your approval is of exactly this; any change voids it.',
    },
    confirm: {
      title: 'Check carefully before you confirm!',
      act: 'Confirm and mint',
      body: 'YBTC is minted exactly as below, and cannot be taken back. Check addresses, amount and evidence one by one.',
    },
    retryMint: {
      title: 'Retry this mint?',
      act: 'Retry mint',
      body: 'Whether it was minted after all is looked at first; no deposit is minted twice.',
    },
    delete: {
      title: ({ count }: { count: number }) => (count === 1 ? 'Delete this deposit?' : `Delete these ${count} deposits?`),
      act: ({ count }: { count: number }) => (count === 1 ? 'Delete deposit' : `Delete ${count} deposits`),
      body: 'Only deposits that are not confirmed can be deleted. This cannot be undone; the audit keeps it.',
    },
  },
  feedback: {
    process: {
      title: ({ count }: { count: number }) =>
        count === 1 ? 'Mark this feedback as processed?' : `Mark these ${count} pieces of feedback as processed?`,
      act: ({ count }: { count: number }) => (count === 1 ? 'Process feedback' : `Process ${count} pieces of feedback`),
    },
    reopen: {
      title: ({ count }: { count: number }) =>
        count === 1 ? 'Mark this feedback as untreated again?' : `Mark these ${count} pieces of feedback as untreated again?`,
      act: ({ count }: { count: number }) => `Mark ${count} as untreated`,
    },
    delete: {
      title: ({ count }: { count: number }) =>
        count === 1 ? 'Delete this feedback?' : `Delete these ${count} pieces of feedback?`,
      act: ({ count }: { count: number }) => (count === 1 ? 'Delete feedback' : `Delete ${count} pieces of feedback`),
      body: 'It leaves the list and can be restored from the audit log.',
    },
    restore: {
      title: 'Restore this feedback?',
      act: 'Restore feedback',
      body: 'It comes back with pictures and replies, as it was.',
    },
  },
  news: {
    restore: {
      title: 'Restore this version?',
      act: 'Restore this version',
      body: 'It is saved as a new edit; a deleted news comes back not shown.',
    },
    show: {
      title: ({ count }: { count: number }) => (count === 1 ? 'Show this news?' : `Show these ${count} news?`),
      act: ({ count }: { count: number }) => `Show ${count} news`,
    },
    hide: {
      title: ({ count }: { count: number }) => (count === 1 ? 'Stop showing this news?' : `Stop showing these ${count} news?`),
      act: ({ count }: { count: number }) => `Hide ${count} news`,
    },
    delete: {
      title: ({ count }: { count: number }) => (count === 1 ? 'Delete this news?' : `Delete these ${count} news?`),
      act: ({ count }: { count: number }) => `Delete ${count} news`,
      body: 'It can be brought back from the audit log.',
    },
  },
  points: {
    adjust: {
      title: 'Adjust these points?',
      act: 'Adjust points',
      body: 'This adds an entry that cannot be edited; a mistake can be reversed.',
    },
    reverse: {
      title: ({ count }: { count: number }) => (count === 1 ? 'Reverse this entry?' : `Reverse these ${count} entries?`),
      act: ({ count }: { count: number }) => (count === 1 ? 'Reverse 1 entry' : `Reverse ${count} entries`),
      body: 'Each gets a new opposite entry, all of them or none. An entry can be reversed once.',
    },
    startImport: { title: 'Start importing points?', act: 'Start the import' },
    undoImport: {
      title: 'Undo this import as a whole?',
      act: 'Undo the import',
      body: 'Every entry is taken back by a new one that reverses it, and the balances are what they were.',
    },
  },
  airdrops: {
    delete: {
      title: ({ count }: { count: number }) => (count === 1 ? 'Delete this airdrop?' : `Delete these ${count} airdrops?`),
      act: ({ count }: { count: number }) => (count === 1 ? 'Delete 1 airdrop' : `Delete ${count} airdrops`),
      body: 'It leaves the list; the audit log can bring it back.',
    },
    restore: { title: 'Restore this version?', act: 'Restore this version', body: 'It is saved as a new edit.' },
    startImport: { title: 'Start importing airdrops?', act: 'Start the import' },
    undoImport: { title: 'Undo this import as a whole?', act: 'Undo the import', body: 'All airdrops it brought are deleted.' },
  },
  teams: {
    startImport: {
      title: 'Start importing teams?',
      act: 'Start the import',
      body: 'It takes the place of what is known of the same captains.',
    },
    undoImport: {
      title: 'Undo this import as a whole?',
      act: 'Undo the import',
      body: 'The teams it brought go, and what was known before comes back.',
    },
  },
  draws: {
    startImport: { title: 'Start importing draws?', act: 'Start the import' },
    undoImport: { title: 'Undo this import as a whole?', act: 'Undo the import', body: 'All draws it brought are deleted.' },
  },
  dataPanel: {
    freezeMoney: {
      title: 'Freeze money?',
      act: 'Freeze money',
      body: 'Confirming, signing and sending stop at once, also of what is confirmed; somebody else lifts it.',
    },
    resolve: {
      title: 'Lift the money freeze?',
      act: 'Lift the freeze',
      body: 'Of a difference only this one is accepted: another one blocks money commands again.',
    },
  },
  notices: {
    show: {
      title: ({ count }: { count: number }) => (count === 1 ? 'Show this notice?' : `Show these ${count} notices?`),
      act: ({ count }: { count: number }) => `Show ${count === 1 ? 'notice' : `${count} notices`}`,
      body: 'Within its period the official website shows it at once.',
    },
    hide: {
      title: ({ count }: { count: number }) =>
        count === 1 ? 'Stop showing this notice?' : `Stop showing these ${count} notices?`,
      act: ({ count }: { count: number }) => `Hide ${count === 1 ? 'notice' : `${count} notices`}`,
    },
    delete: {
      title: ({ count }: { count: number }) => (count === 1 ? 'Delete this notice?' : `Delete these ${count} notices?`),
      act: ({ count }: { count: number }) => `Delete ${count === 1 ? 'notice' : `${count} notices`}`,
      body: 'It goes from the list and the official website, and can be brought back from the audit log.',
    },
    restore: {
      title: 'Restore this version?',
      act: 'Restore this version',
      body: 'It is saved as a new edit; a deleted notice comes back not shown.',
    },
  },
  crsm: {
    create: {
      title: 'Create a CRSM for this position?',
      act: 'Create CRSM',
      body: 'Your wallet will ask you to sign what stands below: compare it with what the wallet shows.',
    },
    deposit: {
      title: 'Deposit YU into this CRSM?',
      act: 'Deposit',
      body: 'Your wallet will ask you to sign what stands below: compare it with what the wallet shows.',
    },
    withdrawFromSP: {
      title: 'Withdraw YU from the stability pool?',
      act: 'Withdraw',
      body: 'Your wallet will ask you to sign what stands below: compare it with what the wallet shows.',
    },
    claimYield: {
      title: 'Claim the yield of {{count}} CRSM?',
      act: 'Claim yield',
      body: 'Your wallet will ask you to sign what stands below: compare it with what the wallet shows.',
    },
    claimAllCollateralGains: {
      title: 'Claim all collateral gains of {{count}} CRSM?',
      act: 'Claim gains',
      body: 'Your wallet will ask you to sign what stands below: compare it with what the wallet shows.',
    },
    updateCR: {
      title: 'Update the ratios of this CRSM?',
      act: 'Update ratios',
      body: 'Your wallet will ask you to sign what stands below: compare it with what the wallet shows.',
    },
    commitDebtGasCompensation: {
      title: 'Commit to another debtGasCompensation?',
      act: 'Commit',
      body: 'Your wallet will ask you to sign what stands below: compare it with what the wallet shows.',
    },
    acceptDebtGasCompensation: {
      title: 'Accept the pending debtGasCompensation?',
      act: 'Accept',
      body: 'Your wallet will ask you to sign what stands below: compare it with what the wallet shows.',
    },
    withdraw: {
      title: 'Withdraw idle YU?',
      act: 'Withdraw',
      body: 'Your wallet will ask you to sign what stands below: compare it with what the wallet shows.',
    },
    repay: {
      title: 'Repay debt of this position?',
      act: 'Repay',
      body: 'Your wallet will ask you to sign what stands below: compare it with what the wallet shows.',
    },
  },
  withdrawals: {
    add: {
      title: 'Add this withdrawal?',
      act: 'Add withdrawal',
      body: 'Check the receiving address digit by digit: bitcoin that was sent does not come back.',
    },
    requestRefund: {
      title: 'Request the refund from your wallet?',
      act: 'Request refund',
      body: 'The wallet will ask you to sign exactly this. Compare it with what the wallet shows.',
    },
    confirmRefund: {
      title: 'Confirm the refund from your wallet?',
      act: 'Confirm refund',
      body: 'The YBTC is burnt and the bitcoin paid out. Compare with what the wallet shows.',
    },
    offerAgain: {
      title: 'Allow a second request?',
      act: 'Offer the request again',
      body: 'Two requests of one deposit would be paid out twice. Be sure that the first is gone.',
    },
    cancel: {
      title: 'Cancel this withdrawal?',
      act: 'Cancel withdrawal',
      body: 'Nothing of it is on the chain. The deposit may be withdrawn anew.',
    },
  },
  session: { signOut: { title: 'Confirm the exit login', act: 'Sign Out' } },
  roles: {
    delete: {
      title: ({ count }: { count: number }) => (count === 1 ? 'Delete this role?' : `Delete these ${count} roles?`),
      act: ({ count }: { count: number }) => (count === 1 ? 'Delete role' : `Delete ${count} roles`),
      body: 'A role that somebody still has is not deleted. This cannot be undone.',
    },
  },
  permissions: {
    delete: {
      title: 'Delete this node and everything below it?',
      act: 'Delete node',
      body: 'The same identifier added again does not bring its grants back.',
    },
    reset: {
      title: 'Go back to the built-in tree?',
      act: 'Reset the tree',
      body: 'What still exists stays granted as it is.',
    },
  },
};
