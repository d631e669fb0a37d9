import { createChunk, type Chunk } from '../chunks/loader.ts';
import type { Locale } from '../i18n/locale.ts';
import type { HelpPage } from './page.ts';

const files = import.meta.glob<HelpPage>('./pages/*/*.md', { import: 'default' });

const chunks = new Map<string, Chunk<HelpPage>>();

export function pageChunk(locale: Locale, name: string): Chunk<HelpPage> {
  const file = `./pages/${locale}/${name}.md`;
  const loadFile = files[file];
  if (!loadFile) throw new Error(`there is no help page ${file}`);
  const chunk = chunks.get(file) ?? createChunk(loadFile);
  chunks.set(file, chunk);
  return chunk;
}
