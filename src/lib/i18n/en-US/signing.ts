export const signing = {
  field: {
    payout: 'Payout address (Bitcoin)',
    payoutOf: 'Payout addresses (Bitcoin)',
    firstNonce: 'First bridge nonce covered',
    refundAuthors: 'Authors of the withdrawal (can’t sign)',
    refundBands: 'Amount bands for refunds',
  },
  hint: {
    payout: 'One address per line. Refunds to this institution can only go to these addresses.',
  },
  says: {
    refundApprove: 'Refund {{amount}} BTC to {{payout}}',
  },
  rules: {
    mint: 'Mints of {{band}}',
    refund: 'Refunds of {{band}}',
    noRefunds: 'No refund bands: no bitcoin can be sent out',
    refundTitle: 'Refunds',
    mintTitle: 'Mints',
  },
  refused: {
    ACCOUNT: 'The account isn’t in the address book, or its entry isn’t in force yet.',
    PAYOUT: 'This isn’t a payout address of the institution, or it isn’t in force yet. Choose one from its address book entry.',
    REFUND_AUTHOR: 'You recorded or edited this withdrawal, so someone else must sign.',
    REFUND_DAY_LIMIT: 'This would exceed the refund limit of {{limit}} BTC per 24 hours.',
  },
};
