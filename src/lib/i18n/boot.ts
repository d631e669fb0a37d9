import { setDictionary } from './i18n.ts';
import { pageLocale } from './locale.ts';

/** Reads the first part of the one dictionary this page needs: what the sign-in page and a failure say. */
export async function loadSignInDictionary(locale = pageLocale()): Promise<void> {
  setDictionary(
    locale,
    locale === 'en-US'
      ? (await import('./en-US/access/sign-in.ts')).enSignIn
      : (await import('./zh-CN/access/sign-in.ts')).zhSignIn,
  );
}

/** Reads what every screen needs. The layout waits for it. */
export async function loadDictionary(locale = pageLocale()): Promise<void> {
  setDictionary(
    locale,
    locale === 'en-US' ? (await import('./en-US/index.ts')).enPanel : (await import('./zh-CN/index.ts')).zhPanel,
  );
}

/** Reads the words of every resource: what commands say wherever they are run. */
export async function loadResourceWords(locale = pageLocale()): Promise<void> {
  setDictionary(
    locale,
    locale === 'en-US' ? (await import('./en-US/resources.ts')).enResources : (await import('./zh-CN/resources.ts')).zhResources,
  );
}
