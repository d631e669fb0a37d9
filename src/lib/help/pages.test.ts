import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { listScreens } from '../../../api/menu.ts';
import { parsePage } from '../../../scripts/help/markdown.ts';
import { registry } from '../../commands/app/all.ts';
import { locales, type Locale } from '../i18n/locale.ts';
import { findEntry, helpPages, type HelpEntry } from './pages.ts';
import type { Block, HelpPage, Inline } from './page.ts';

const pagePath = (locale: Locale, name: string) => `src/lib/help/pages/${locale}/${name}.md`;

const readPage = (locale: Locale, name: string): HelpPage =>
  parsePage(readFileSync(pagePath(locale, name), 'utf8'), locale === 'zh-CN' ? 'zh' : 'en');

const pages = locales.flatMap((locale) => helpPages.map(({ name }) => ({ locale, name, page: readPage(locale, name) })));

const readInlines = (block: Block): readonly Inline[] => {
  if ('line' in block) return block.line;
  return 'lines' in block ? block.lines.flat() : [...block.head, ...block.rows.flat()].flat();
};

const allInlines = ({ intro, sections }: HelpPage): readonly Inline[] =>
  [...intro, ...sections.flatMap(({ blocks }) => blocks)].flatMap(readInlines);

const readLinks = (page: HelpPage): string[] =>
  allInlines(page).flatMap((inline) => (typeof inline === 'object' && 'to' in inline ? [inline.to] : []));

const screenPaths = new Set<string>(
  listScreens()
    .filter(({ children }) => !children)
    .map(({ path }) => path),
);

describe('help pages', () => {
  test.each(locales)('in %s are all in the list, and no other file is', (locale) => {
    const files = readdirSync(`src/lib/help/pages/${locale}`).map((file) => file.replace(/\.md$/, ''));
    expect(new Set(files)).toEqual(new Set(helpPages.map(({ name }) => name)));
  });

  test.each(helpPages)('about $name have the same headings, steps and commands in both languages', ({ name }) => {
    const [zh, en] = [readPage('zh-CN', name), readPage('en-US', name)];
    const readShape = ({ intro, sections }: HelpPage) => ({
      intro: intro.map(({ kind }) => kind),
      sections: sections.map(({ id, blocks }) => ({
        id,
        blocks: blocks.map((block) => [
          block.kind,
          'lines' in block ? block.lines.length : 'rows' in block ? block.rows.length : 1,
        ]),
      })),
    });
    expect(readShape(zh)).toEqual(readShape(en));
    const readCommands = (page: HelpPage) =>
      allInlines(page).flatMap((inline) => (typeof inline === 'object' && 'command' in inline ? [inline.command] : []));
    expect(readCommands(zh).toSorted()).toEqual(readCommands(en).toSorted());
  });

  test('name only commands that are registered', () => {
    const unknownCommands = pages.flatMap(({ locale, name, page }) =>
      allInlines(page).flatMap((inline) =>
        typeof inline === 'object' && 'command' in inline && !registry.get(inline.command)
          ? [`${locale}/${name}: ${inline.command}`]
          : [],
      ),
    );
    expect(unknownCommands).toEqual([]);
  });

  test('link only to screens, help pages and their headings', () => {
    const isExistingLink = (locale: Locale, href: string): boolean => {
      const [path = '', id] = href.split('#');
      if (!path.startsWith('/help')) return screenPaths.has(path);
      const entry = findEntry(path.slice('/help'.length));
      return (
        entry !== undefined && (id === undefined || readPage(locale, entry.name).sections.some((section) => section.id === id))
      );
    };
    const links = pages.flatMap(({ locale, page }) => readLinks(page).map((href) => ({ locale, to: href })));
    expect(links.length).toBeGreaterThan(50);
    expect(links.filter(({ locale, to }) => !isExistingLink(locale, to))).toEqual([]);
  });

  test('exist for every screen, and a screen has one page', () => {
    const helpScreens = helpPages.flatMap(({ screens: entryScreens }: HelpEntry) => [...entryScreens]);
    expect(new Set(helpScreens)).toEqual(screenPaths);
    expect(helpScreens.length).toBe(screenPaths.size);
    for (const path of screenPaths) expect(findEntry(path === '/' ? '' : path)?.screens, path).toContain(path);
  });

  test('explain a job with at least one numbered step or key in each section', () => {
    for (const { locale, name, page } of pages) {
      expect(page.sections.length, `${locale}/${name}`).toBeGreaterThan(2);
      for (const { id, blocks } of page.sections) expect(blocks.length, `${locale}/${name}#${id}`).toBeGreaterThan(0);
      const ids = page.sections.map(({ id }) => id);
      expect(new Set(ids).size, `${locale}/${name}`).toBe(ids.length);
    }
  });
});

describe('the Markdown of help pages', () => {
  const page = (body: string) => parsePage(`# Title\n\n${body}\n`, 'en');

  test('becomes plain data', () => {
    expect(
      parsePage(
        '# News\n\nText with **bold**, `code` and [a link](/help/news#add).\n\n## Add {#add}\n\n1. Run {news.add}.\n2. Press {key:list.open}.\n\n> Note\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n',
        'en',
      ),
    ).toEqual({
      title: 'News',
      intro: [
        {
          kind: 'text',
          line: [
            'Text with ',
            { strong: 'bold' },
            ', ',
            { code: 'code' },
            ' and ',
            { text: 'a link', to: '/help/news#add' },
            '.',
          ],
        },
      ],
      sections: [
        {
          id: 'add',
          title: 'Add',
          blocks: [
            {
              kind: 'steps',
              lines: [
                ['Run ', { command: 'news.add', name: 'Add news' }, '.'],
                ['Press ', { command: 'list.open' }, '.'],
              ],
            },
            { kind: 'note', line: ['Note'] },
            { kind: 'table', head: [['A'], ['B']], rows: [[['1'], ['2']]] },
          ],
        },
      ],
    });
  });

  test.each([
    ['an unknown command', 'Run {news.fly}.', 'news.fly'],
    ['HTML', 'A <b>word</b>', 'markup'],
    ['a link that leaves the panel', '[out](https://example.com)', 'markup'],
    ['an image', '![picture](/news)', 'not a kind of block'],
    ['a heading without an ID', '## Add\n\nText', 'needs an ID'],
    ['a smaller heading', '### Add {#add}', 'not a kind of block'],
    ['a paragraph over two lines', 'one\ntwo', 'one line'],
    ['a list with another line', '1. one\ntwo', 'another kind'],
    ['a row of another length', '| A | B |\n| --- | --- |\n| 1 |', 'another length'],
  ])('with %s is refused', (_, body, reason) => {
    expect(() => page(body)).toThrow(reason);
  });

  test('without a title is refused', () => {
    expect(() => parsePage('Text\n', 'en')).toThrow('title');
  });
});
