export const home = {
  title: 'Waiting for you',
  nothing: 'Nothing waits for you right now.',
  unread: 'What waits cannot be read right now.',
  more: 'more than {{count}}',
  waiting: {
    freeze: 'Money is frozen: money commands are paused',
    nearTrigger: 'CRSMs near or below their trigger',
    failedMints: 'Deposits whose mint failed: retry, or close',
    cancelledMints: 'Deposits whose mint was cancelled: to be closed',
    statements: 'Statements for me to sign',
    deposits: 'Deposits to be confirmed',
    withdrawals: 'Withdrawals that have cooled down',
    feedback: 'Untreated feedback',
  },
};
