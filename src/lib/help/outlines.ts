import type { Locale } from '../i18n/locale.ts';
import type { Outline } from './page.ts';

const outlines = import.meta.glob<Outline>('./pages/*/*.md', { query: '?outline', import: 'default', eager: true });

export const readOutline = (locale: Locale, name: string): Outline =>
  outlines[`./pages/${locale}/${name}.md`] ?? { title: name, headings: [] };
