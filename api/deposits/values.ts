/** The words of a deposit's states, apart from its schemas: a list stands before the validator is there. */
export const depositTypes = ['cobo', 'multisig'] as const;
export const depositStatuses = ['created', 'confirmed'] as const;
export const mintStatuses = ['none', 'queued', 'sent', 'done', 'failed', 'canceled', 'closed'] as const;
/** How many people unblock a deposit that the custodian rejected. */
export const unblockSignatures = 2;
