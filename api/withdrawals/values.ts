export const withdrawalStatuses = ['todo', 'doing', 'withdrawable', 'done', 'canceled', 'gone'] as const;
