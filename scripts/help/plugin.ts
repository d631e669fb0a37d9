import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import type { HelpPage, Outline } from '../../src/lib/help/page.ts';
import { parsePage } from './markdown.ts';

const page = /\/src\/lib\/help\/pages\/(zh|en)-[A-Z]{2}\/[\w-]+\.md(\?outline)?$/;

/** Help pages as plain data. With `?outline`, only what the list of pages and the palette need. */
export function helpPages(): Plugin {
  return {
    name: 'help-pages',
    enforce: 'pre',
    load(id) {
      const [, language, outlineFlag] = page.exec(id) ?? [];
      if (language === undefined) return null;
      const file = id.replace(/\?outline$/, '');
      const parsedPage = parsePage(readFileSync(file, 'utf8'), language === 'zh' ? 'zh' : 'en');
      this.addWatchFile(file);
      return { code: `export default ${JSON.stringify(outlineFlag ? outlineOf(parsedPage) : parsedPage)};`, moduleType: 'js' };
    },
  };
}

export const outlineOf = ({ title, sections }: HelpPage): Outline => ({
  title,
  headings: sections.map(({ id, title: heading }) => ({ id, title: heading })),
});
