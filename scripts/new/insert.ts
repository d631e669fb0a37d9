/** Appends to the list that `opening` starts. Throws unless `opening` occurs once. */
export function withEntry(source: string, opening: string, entry: string): string {
  const start = source.indexOf(opening);
  if (start < 0 || source.includes(opening, start + 1)) throw new Error(`expected exactly one list that begins with: ${opening}`);
  const begin = start + opening.length;
  const end = closingOf(source, begin);
  const body = source.slice(begin, end).trimEnd();
  return `${source.slice(0, begin)}${body}${body === '' || body.endsWith(',') ? '' : ','}\n${entry},\n${source.slice(end)}`;
}

/** Matching bracket, ignoring texts and comments. */
function closingOf(source: string, from: number): number {
  const tokens = /\/\/.*|\/\*[^]*?\*\/|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`|[()[\]{}]/g;
  tokens.lastIndex = from;
  let depth = 1;
  for (let token = tokens.exec(source); token; token = tokens.exec(source)) {
    if ('([{'.includes(token[0])) depth += 1;
    else if (')]}'.includes(token[0])) depth -= 1;
    if (depth === 0) return token.index;
  }
  throw new Error('the list has no closing bracket');
}
