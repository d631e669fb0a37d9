import type { CommandId } from '../../api/names.ts';
import { allNames } from '../../api/all-names.ts';
import type { Block, HelpPage, Inline, Line, Section } from '../../src/lib/help/page.ts';

type Language = 'zh' | 'en';

/**
 * The part of Markdown that help pages use: `# title`, `## heading {#id}`, text, `> note`, `1.` and `-` lists and tables. In a line:
 * bold, code, links, `{news.add}` for a command's name with its key, and `{key:news.add}` for its key alone. Anything else is an error.
 */
export function parsePage(source: string, language: Language): HelpPage {
  const [firstLine = '', ...parts] = source.trim().split(/^(?=## )/m);
  const [, title, intro = ''] = /^# (.+)\n([^]*)$/.exec(`${firstLine}\n`) ?? [];
  if (title === undefined) throw new Error('a help page starts with “# ” and its title');
  return {
    title: title.trim(),
    intro: blocksOf(intro, language),
    sections: parts.map((part) => sectionOf(part, language)),
  };
}

function sectionOf(source: string, language: Language): Section {
  const [, title, id, body = ''] = /^## (.+?) \{#([a-z][a-z\d-]*)\}\n([^]*)$/.exec(`${source}\n`) ?? [];
  if (title === undefined || id === undefined)
    throw new Error(`a heading needs an ID, as in “## Add news {#add}”: ${source.split('\n')[0]}`);
  return { id, title, blocks: blocksOf(body, language) };
}

const blocksOf = (source: string, language: Language): Block[] =>
  source
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .filter((block) => block !== '')
    .map((block) => blockOf(block.split('\n'), language));

function blockOf(lines: readonly string[], language: Language): Block {
  const itemsAfter = (marker: RegExp): Line[] =>
    lines.map((line) => {
      if (!marker.test(line)) throw new Error(`a line of another kind in a block: ${line}`);
      return lineOf(line.replace(marker, ''), language);
    });
  const [firstLine = ''] = lines;
  if (/^\d+\. /.test(firstLine)) return { kind: 'steps', lines: itemsAfter(/^\d+\. /) };
  if (firstLine.startsWith('- ')) return { kind: 'points', lines: itemsAfter(/^- /) };
  if (firstLine.startsWith('|')) return tableOf(lines, language);
  if (lines.length > 1) throw new Error(`a paragraph is one line: ${firstLine}`);
  if (/^[#<*+]|^(?:-{3}|`{3}| {4})|!\[/.test(firstLine))
    throw new Error(`not a kind of block that help pages know: ${firstLine}`);
  if (firstLine.startsWith('> ')) return { kind: 'note', line: lineOf(firstLine.slice(2), language) };
  return { kind: 'text', line: lineOf(firstLine, language) };
}

function tableOf([head = '', rule = '', ...rows]: readonly string[], language: Language): Block {
  const cellsOf = (row: string): Line[] =>
    row
      .replaceAll(/^\||\|$/g, '')
      .split('|')
      .map((cell) => lineOf(cell.trim(), language));
  const columns = cellsOf(head).length;
  if (!/^\|(?: ?-+ ?\|)+$/.test(rule)) throw new Error(`the second line of a table separates its head: ${rule}`);
  const body = rows.map(cellsOf);
  if (body.some((cells) => cells.length !== columns)) throw new Error(`a row of another length in the table ${head}`);
  return { kind: 'table', head: cellsOf(head), rows: body };
}

const token = /\*\*([^*]+)\*\*|`([^`]+)`|\[([^\]]+)\]\((\/[\w/#-]*)\)|\{(key:)?([A-Za-z]+\.[A-Za-z\d]+)\}/g;

function lineOf(text: string, language: Language): Line {
  const line: Inline[] = [];
  let offset = 0;
  for (const match of text.matchAll(token)) {
    const [matchedText, strongText, code, name, href, onlyKey, id] = match;
    if (match.index > offset) line.push(plainText(text.slice(offset, match.index)));
    offset = match.index + matchedText.length;
    if (strongText !== undefined) line.push({ strong: strongText });
    else if (code !== undefined) line.push({ code });
    else if (name !== undefined && href !== undefined) line.push({ text: name, to: href });
    else line.push(commandOf(id ?? '', language, onlyKey !== undefined));
  }
  if (offset < text.length) line.push(plainText(text.slice(offset)));
  return line;
}

function commandOf(id: string, language: Language, onlyKey: boolean): Inline {
  if (!isCommand(id)) throw new Error(`there is no command ${id}`);
  return onlyKey ? { command: id } : { command: id, name: allNames[id][language] };
}

const isCommand = (id: string): id is CommandId => id in allNames;

function plainText(text: string): string {
  if (/[*`{}<>[\]]/.test(text)) throw new Error(`markup that help pages do not know: ${text}`);
  return text;
}
