import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { crsmRefusals } from '../../api/crsm/values.ts';
import { moneyRefusals } from '../../api/deposits/contract.ts';
import { errorStatus } from '../../api/errors.ts';
import { root } from '../setup.mjs';

const markdownIn = (folder: string) =>
  existsSync(join(root, folder))
    ? readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
        .map((name) => `${folder}/${name}`)
    : [];
const pages = ['README.md', 'CHANGELOG.md', ...['docs', 'e2e', 'qa'].flatMap(markdownIn)];
const readPage = (page: string) => readFileSync(join(root, page), 'utf8');
const withoutCode = (text: string) => text.replaceAll(/^ *```.*?^ *```/gms, '').replaceAll(/`[^`\n]*`/g, '');

/** As on GitHub. */
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );

test.each(pages)('%s links to existing pages and headings', (page) => {
  const brokenLinks = [...withoutCode(readPage(page)).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].filter(
    ([, path = '', anchor]) => {
      const target = path === '' ? page : join(dirname(page), path);
      if (!existsSync(join(root, target))) return true;
      return anchor !== undefined && !anchorsOf(readPage(target)).includes(anchor);
    },
  );
  expect(brokenLinks.map(([link]) => link)).toEqual([]);
});

test.each(pages.filter((page) => !/CHANGELOG|permissions|commands/.test(page)))('%s names existing files', (page) => {
  const missingPaths = [...readPage(page).matchAll(/`((?:api|bench|chain|docs|e2e|qa|scripts|server|src)\/[\w./@-]*\w\/?)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => !existsSync(join(root, path)));
  expect(missingPaths).toEqual([]);
});

test.each(pages.filter((page) => !/operations|CHANGELOG/.test(page)))('%s names existing npm scripts', (page) => {
  const { scripts } = JSON.parse(readPage('package.json')) as { scripts: Record<string, string> };
  const unknownScripts = [...readPage(page).matchAll(/\bnpm run (?:-s )?([a-z][\w:-]*)/g)]
    .map(([, name = '']) => name)
    .filter((name) => !(name in scripts));
  expect(unknownScripts).toEqual([]);
});

test('docs/errors.md has every code of the catalog with its status', () => {
  const rows = [...readPage('docs/errors.md').matchAll(/^\| `([A-Z_]+)` \| (\d{3}) \|/gm)].map(
    ([, code = '', status]) => [code, Number(status)] as const,
  );
  expect(rows.map(([code]) => code).toSorted()).toEqual(Object.keys(errorStatus).toSorted());
  expect(Object.fromEntries(rows)).toEqual(errorStatus);
});

test('docs/errors.md has every reason of MONEY_REFUSED and CRSM_REFUSED', () => {
  const cells = new Set([...readPage('docs/errors.md').matchAll(/^\| `(\w+)` \|/gm)].map(([, cell = '']) => cell));
  expect([...moneyRefusals, ...crsmRefusals].filter((reason) => !cells.has(reason))).toEqual([]);
});

test('docs/architecture.md names functions that exist in the files it names', () => {
  const page = readPage('docs/architecture.md');
  const files = [
    ...new Set([...page.matchAll(/(?:api|chain|scripts|server|src)\/[\w./-]+\.(?:ts|tsx|mjs|sql)/g)].map(([path]) => path)),
  ];
  expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  const sources = files.map(readPage).join('\n');
  const names = [...page.matchAll(/\b([a-z]\w*[A-Z]\w*|[a-z]{4,})\(\)/g)].map(([, name = '']) => name);
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(sources))).toEqual([]);
});
