export const home = {
  title: 'Waiting for you',
  nothing: 'Nothing is waiting for you.',
  unread: 'Couldn’t load what’s waiting for you. Try again.',
  recent: 'Recently opened',
  noRecent: 'Records that you open appear here.',
  waiting: {
    freeze: 'Money is frozen',
    nearTrigger: 'CRSMs near or at their trigger',
    staleFigures: 'CRSMs whose figures are out of date',
    failedMints: 'Failed mints to retry or close',
    canceledMints: 'Voided mints to close',
    statements: 'Statements that need your signature',
    deposits: 'Deposits to confirm',
    refunds: 'Refunds that need your signature',
    withdrawals: 'Withdrawals ready to confirm',
    feedback: 'Untreated feedback',
  },
};
