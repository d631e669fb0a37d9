import type { CommandId } from '../../api/names.ts';
import { allNames } from '../../api/all-names.ts';
import type { Block, HelpPage, Inline, Line, Section } from '../../src/lib/help/page.ts';

type Language = 'zh' | 'en';

/**
 * The part of Markdown that help pages use: `# title`, `## heading {#id}`, text, `> note`, `1.` and `-` lists and tables. In a line:
 * bold, code, links, `{news.add}` for a command's name with its key, and `{key:news.add}` for its key alone. Anything else is an error.
 */
export function parsePage(source: string, language: Language): HelpPage {
  const [first = '', ...parts] = source.trim().split(/^(?=## )/m);
  const [, title, intro = ''] = /^# (.+)\n([^]*)$/.exec(`${first}\n`) ?? [];
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
  const after = (start: RegExp): Line[] =>
    lines.map((line) => {
      if (!start.test(line)) throw new Error(`a line of another kind in a block: ${line}`);
      return lineOf(line.replace(start, ''), language);
    });
  const [first = ''] = lines;
  if (/^\d+\. /.test(first)) return { kind: 'steps', lines: after(/^\d+\. /) };
  if (first.startsWith('- ')) return { kind: 'points', lines: after(/^- /) };
  if (first.startsWith('|')) return tableOf(lines, language);
  if (lines.length > 1) throw new Error(`a paragraph is one line: ${first}`);
  if (/^[#<*+]|^(?:-{3}|`{3}| {4})|!\[/.test(first)) throw new Error(`not a kind of block that help pages know: ${first}`);
  if (first.startsWith('> ')) return { kind: 'note', line: lineOf(first.slice(2), language) };
  return { kind: 'text', line: lineOf(first, language) };
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
  let at = 0;
  for (const match of text.matchAll(token)) {
    const [whole, strong, code, name, to, only, id] = match;
    if (match.index > at) line.push(plain(text.slice(at, match.index)));
    at = match.index + whole.length;
    if (strong !== undefined) line.push({ strong });
    else if (code !== undefined) line.push({ code });
    else if (name !== undefined && to !== undefined) line.push({ text: name, to });
    else line.push(commandOf(id ?? '', language, only !== undefined));
  }
  if (at < text.length) line.push(plain(text.slice(at)));
  return line;
}

function commandOf(id: string, language: Language, onlyKey: boolean): Inline {
  if (!isCommand(id)) throw new Error(`there is no command ${id}`);
  return onlyKey ? { command: id } : { command: id, name: allNames[id][language] };
}

const isCommand = (id: string): id is CommandId => id in allNames;

function plain(text: string): string {
  if (/[*`{}<>[\]]/.test(text)) throw new Error(`markup that help pages do not know: ${text}`);
  return text;
}
