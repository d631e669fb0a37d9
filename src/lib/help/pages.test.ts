import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { allScreens } from '../../../api/menu.ts';
import { parsePage } from '../../../scripts/help/markdown.ts';
import { registry } from '../../commands/app/all.ts';
import { locales, type Locale } from '../i18n/locale.ts';
import { entryAt, helpPages, type HelpEntry } from './pages.ts';
import type { Block, HelpPage, Inline } from './page.ts';

const fileOf = (locale: Locale, name: string) => `src/lib/help/pages/${locale}/${name}.md`;

const read = (locale: Locale, name: string): HelpPage =>
  parsePage(readFileSync(fileOf(locale, name), 'utf8'), locale === 'zh-CN' ? 'zh' : 'en');

const pages = locales.flatMap((locale) => helpPages.map(({ name }) => ({ locale, name, page: read(locale, name) })));

const inlinesOf = (block: Block): readonly Inline[] => {
  if ('line' in block) return block.line;
  return 'lines' in block ? block.lines.flat() : [...block.head, ...block.rows.flat()].flat();
};

const allInlines = ({ intro, sections }: HelpPage): readonly Inline[] =>
  [...intro, ...sections.flatMap(({ blocks }) => blocks)].flatMap(inlinesOf);

const linksOf = (page: HelpPage): string[] =>
  allInlines(page).flatMap((part) => (typeof part === 'object' && 'to' in part ? [part.to] : []));

const screens = new Set<string>(
  allScreens()
    .filter(({ children }) => !children)
    .map(({ path }) => path),
);

describe('help pages', () => {
  test.each(locales)('in %s are all in the list, and no other file is', (locale) => {
    const files = readdirSync(`src/lib/help/pages/${locale}`).map((file) => file.replace(/\.md$/, ''));
    expect(new Set(files)).toEqual(new Set(helpPages.map(({ name }) => name)));
  });

  test.each(helpPages)('about $name have the same headings, steps and commands in both languages', ({ name }) => {
    const [zh, en] = [read('zh-CN', name), read('en-US', name)];
    const shapeOf = ({ intro, sections }: HelpPage) => ({
      intro: intro.map(({ kind }) => kind),
      sections: sections.map(({ id, blocks }) => ({
        id,
        blocks: blocks.map((block) => [
          block.kind,
          'lines' in block ? block.lines.length : 'rows' in block ? block.rows.length : 1,
        ]),
      })),
    });
    expect(shapeOf(zh)).toEqual(shapeOf(en));
    const commandsOf = (page: HelpPage) =>
      allInlines(page).flatMap((part) => (typeof part === 'object' && 'command' in part ? [part.command] : []));
    expect(commandsOf(zh).toSorted()).toEqual(commandsOf(en).toSorted());
  });

  test('name only commands that are registered', () => {
    const unknown = pages.flatMap(({ locale, name, page }) =>
      allInlines(page).flatMap((part) =>
        typeof part === 'object' && 'command' in part && !registry.get(part.command)
          ? [`${locale}/${name}: ${part.command}`]
          : [],
      ),
    );
    expect(unknown).toEqual([]);
  });

  test('link only to screens, help pages and their headings', () => {
    const leadsSomewhere = (locale: Locale, to: string): boolean => {
      const [path = '', id] = to.split('#');
      if (!path.startsWith('/help')) return screens.has(path);
      const entry = entryAt(path.slice('/help'.length));
      return entry !== undefined && (id === undefined || read(locale, entry.name).sections.some((section) => section.id === id));
    };
    const links = pages.flatMap(({ locale, page }) => linksOf(page).map((to) => ({ locale, to })));
    expect(links.length).toBeGreaterThan(50);
    expect(links.filter(({ locale, to }) => !leadsSomewhere(locale, to))).toEqual([]);
  });

  test('exist for every screen, and a screen has one page', () => {
    const owned = helpPages.flatMap(({ screens: own }: HelpEntry) => [...own]);
    expect(new Set(owned)).toEqual(screens);
    expect(owned.length).toBe(screens.size);
    for (const path of screens) expect(entryAt(path === '/' ? '' : path)?.screens, path).toContain(path);
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
