/** Appends to the list that `openingText` starts. Throws unless `openingText` occurs exactly once. */
export function appendEntry(source: string, openingText: string, entry: string): string {
  const start = source.indexOf(openingText);
  if (start < 0 || source.includes(openingText, start + 1))
    throw new Error(`expected exactly one list that begins with: ${openingText}`);
  const contentStart = start + openingText.length;
  const contentEnd = findClosingBracket(source, contentStart);
  const body = source.slice(contentStart, contentEnd).trimEnd();
  return `${source.slice(0, contentStart)}${body}${body === '' || body.endsWith(',') ? '' : ','}\n${entry},\n${source.slice(contentEnd)}`;
}

/** Matching bracket, ignoring texts and comments. */
function findClosingBracket(source: string, from: number): number {
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
