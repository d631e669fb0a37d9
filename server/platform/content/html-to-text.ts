import { decodeHTML } from 'entities';

export interface ReadHtml {
  text: string;
  images: string[];
}

const hiddenTagPattern =
  /^(script|style|template|noscript|iframe|object|svg|math|head|title|textarea|select|xmp|noembed|noframes)$/;
const blockTagPattern =
  /^(p|div|br|hr|li|ul|ol|dl|dt|dd|tr|table|h[1-6]|section|article|header|footer|blockquote|pre|figure|figcaption)$/;

/** Decodes entities once. The result is text, not safe HTML: it may contain "<script>". */
export function readHtml(html: string): ReadHtml {
  const images: string[] = [];
  let text = '';
  let position = 0;
  while (position < html.length) {
    const start = findTag(html, position);
    text += decodeHTML(html.slice(position, start));
    if (start === html.length) break;
    const tag = readTag(html, start);
    position = tag.end;
    if (blockTagPattern.test(tag.name)) text += '\n';
    if (tag.name === 'img' && !tag.closing) images.push(...readAttribute(tag.source, 'src'));
    if (hiddenTagPattern.test(tag.name) && !tag.closing && !tag.source.endsWith('/>'))
      position = findElementEnd(html, tag.name, position);
  }
  return { text: tidyText(text), images };
}

/** Removes control characters, direction overrides and broken surrogates. */
export function tidyText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
    .replace(/[\uD800-\uDFFF]/gu, '\uFFFD')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** `max` UTF-16 units with the ellipsis. Never splits a character. */
export function truncateText(text: string, max: number): string {
  if (text.length <= max) return text;
  const truncated = text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '');
  return `${truncated.trimEnd()}…`;
}

interface Tag {
  name: string;
  closing: boolean;
  source: string;
  end: number;
}

/** A lone "<" is text. */
function findTag(html: string, startIndex: number): number {
  for (let tagIndex = html.indexOf('<', startIndex); tagIndex !== -1; tagIndex = html.indexOf('<', tagIndex + 1)) {
    if (/[a-z/!?]/i.test(html.charAt(tagIndex + 1))) return tagIndex;
  }
  return html.length;
}

function readTag(html: string, start: number): Tag {
  if (html.startsWith('<!--', start)) {
    const commentEnd = html.indexOf('-->', start + 4);
    return { name: '', closing: false, source: '', end: commentEnd === -1 ? html.length : commentEnd + 3 };
  }
  const tagEndIndex = findTagEnd(html, start);
  const source = html.slice(start, tagEndIndex);
  const [, closingSlash = '', name = ''] = /^<(\/?)([a-z][a-z0-9]*)/i.exec(source) ?? [];
  return { name: name.toLowerCase(), closing: closingSlash !== '', source, end: tagEndIndex };
}

/** Ignores ">" inside quotes. An unclosed tag runs to the end. */
function findTagEnd(html: string, start: number): number {
  let quote = '';
  for (let position = start + 1; position < html.length; position += 1) {
    const character = html.charAt(position);
    if (quote) {
      if (character === quote) quote = '';
    } else if (character === '>') return position + 1;
    else if ((character === '"' || character === "'") && /[=\s]/.test(html.charAt(position - 1))) quote = character;
  }
  return html.length;
}

function findElementEnd(html: string, name: string, startIndex: number): number {
  const closingTagPattern = new RegExp(`</${name}[\\s/>]`, 'gi');
  closingTagPattern.lastIndex = startIndex;
  return closingTagPattern.exec(html)?.index ?? html.length;
}

function readAttribute(source: string, name: string): string[] {
  // The lookbehind prevents quadratic backtracking.
  const pattern = /(?<![a-z-])([a-z-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;
  for (const [, key = '', doubleQuotedValue, singleQuotedValue, unquotedValue] of source.matchAll(pattern)) {
    if (key.toLowerCase() === name) return [decodeHTML(doubleQuotedValue ?? singleQuotedValue ?? unquotedValue ?? '').trim()];
  }
  return [];
}
