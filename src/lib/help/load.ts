import { createChunk, type Chunk } from '../chunks/loader.ts';
import type { Locale } from '../i18n/locale.ts';
import type { HelpPage } from './page.ts';

const files = import.meta.glob<HelpPage>('./pages/*/*.md', { import: 'default' });

const chunks = new Map<string, Chunk<HelpPage>>();

export function pageChunk(locale: Locale, name: string): Chunk<HelpPage> {
  const file = `./pages/${locale}/${name}.md`;
  const load = files[file];
  if (!load) throw new Error(`there is no help page ${file}`);
  const known = chunks.get(file) ?? createChunk(load);
  chunks.set(file, known);
  return known;
}
