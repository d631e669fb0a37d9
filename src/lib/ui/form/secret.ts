/** What is never kept: not in a draft, nor in history, a macro or a link. */
export const isSecret = (field: { as: string } | undefined): boolean => ['secret', 'code', 'file'].includes(field?.as ?? '');
