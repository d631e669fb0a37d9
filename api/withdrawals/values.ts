/** How far a withdrawal is. */
export const withdrawalStatuses = ['todo', 'doing', 'withdrawable', 'done', 'canceled', 'gone'] as const;
