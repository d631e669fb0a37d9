export const home = {
  title: 'Waiting for you',
  nothing: 'Nothing is waiting for you.',
  unread: 'Couldn’t load what’s waiting for you.',
  more: 'more than {{count}}',
  waiting: {
    freeze: 'Money is frozen: money commands are paused',
    nearTrigger: 'CRSMs near or below their trigger',
    staleFigures: 'CRSMs whose figures are out of date',
    failedMints: 'Failed mints to retry or close',
    cancelledMints: 'Canceled mints to close',
    statements: 'Statements that need your signature',
    deposits: 'Deposits to confirm',
    withdrawals: 'Withdrawals ready to confirm',
    feedback: 'Untreated feedback',
  },
};
