export const depositTypes = ['cobo', 'multisig'] as const;
export const depositStatuses = ['created', 'confirmed'] as const;
export const mintStatuses = ['none', 'queued', 'sent', 'done', 'failed', 'canceled', 'closed'] as const;
export const unblockSignatures = 2;
