import { setDictionary } from './i18n.ts';
import { getPageLocale } from './locale.ts';

/** The part for the sign-in page and failures. */
export async function loadSignInDictionary(locale = getPageLocale()): Promise<void> {
  setDictionary(
    locale,
    locale === 'en-US'
      ? (await import('./en-US/access/sign-in.ts')).enSignIn
      : (await import('./zh-CN/access/sign-in.ts')).zhSignIn,
  );
}

/** The part for every screen. */
export async function loadDictionary(locale = getPageLocale()): Promise<void> {
  setDictionary(
    locale,
    locale === 'en-US' ? (await import('./en-US/index.ts')).enPanel : (await import('./zh-CN/index.ts')).zhPanel,
  );
}

/** Texts of commands, which run anywhere. */
export async function loadResourceTexts(locale = getPageLocale()): Promise<void> {
  setDictionary(
    locale,
    locale === 'en-US' ? (await import('./en-US/resources.ts')).enResources : (await import('./zh-CN/resources.ts')).zhResources,
  );
}
