/** The same screen with this import shown, or the list of all ('all'), or none (null). */
export function importsAddress(search: string, id: string | null): string {
  const query = new URLSearchParams(search);
  if (id === null) query.delete('imports');
  else query.set('imports', id);
  return query.size > 0 ? `?${query}` : location.pathname;
}
