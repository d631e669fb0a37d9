import { decodeHTML } from 'entities';

export interface ReadHtml {
  text: string;
  images: string[];
}

const hidden = /^(script|style|template|noscript|iframe|object|svg|math|head|title|textarea|select|xmp|noembed|noframes)$/;
const breaking =
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
    if (breaking.test(tag.name)) text += '\n';
    if (tag.name === 'img' && !tag.closing) images.push(...attribute(tag.source, 'src'));
    if (hidden.test(tag.name) && !tag.closing && !tag.source.endsWith('/>')) position = endOf(html, tag.name, position);
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
  const cut = text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '');
  return `${cut.trimEnd()}…`;
}

interface Tag {
  name: string;
  closing: boolean;
  source: string;
  end: number;
}

/** A lone "<" is text. */
function findTag(html: string, from: number): number {
  for (let at = html.indexOf('<', from); at !== -1; at = html.indexOf('<', at + 1)) {
    if (/[a-z/!?]/i.test(html.charAt(at + 1))) return at;
  }
  return html.length;
}

function readTag(html: string, start: number): Tag {
  if (html.startsWith('<!--', start)) {
    const close = html.indexOf('-->', start + 4);
    return { name: '', closing: false, source: '', end: close === -1 ? html.length : close + 3 };
  }
  const end = tagEnd(html, start);
  const source = html.slice(start, end);
  const [, slash = '', name = ''] = /^<(\/?)([a-z][a-z0-9]*)/i.exec(source) ?? [];
  return { name: name.toLowerCase(), closing: slash !== '', source, end };
}

/** Ignores ">" inside quotes. An unclosed tag runs to the end. */
function tagEnd(html: string, start: number): number {
  let quote = '';
  for (let at = start + 1; at < html.length; at += 1) {
    const character = html.charAt(at);
    if (quote) {
      if (character === quote) quote = '';
    } else if (character === '>') return at + 1;
    else if ((character === '"' || character === "'") && /[=\s]/.test(html.charAt(at - 1))) quote = character;
  }
  return html.length;
}

function endOf(html: string, name: string, from: number): number {
  const close = new RegExp(`</${name}[\\s/>]`, 'gi'); // `name` is one of `hidden`
  close.lastIndex = from;
  return close.exec(html)?.index ?? html.length;
}

function attribute(source: string, name: string): string[] {
  // The lookbehind prevents quadratic backtracking.
  const pattern = /(?<![a-z-])([a-z-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;
  for (const [, key = '', double, single, bare] of source.matchAll(pattern)) {
    if (key.toLowerCase() === name) return [decodeHTML(double ?? single ?? bare ?? '').trim()];
  }
  return [];
}
