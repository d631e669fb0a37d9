/** 'all': the list, null: none. */
export function importsAddress(search: string, id: string | null): string {
  const query = new URLSearchParams(search);
  if (id === null) query.delete('imports');
  else query.set('imports', id);
  return query.size > 0 ? `?${query}` : location.pathname;
}
