import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtInRoles } from '../../api/access/built-in-roles.ts';
import { allNames } from '../../api/all-names.ts';
import { listScreens } from '../../api/menu.ts';

export interface ReadText {
  key: string;
  text: string;
}

/** A function's text appears twice, for 1 and for 3. */
export function dictionaryTexts(dictionary: object, path = ''): ReadText[] {
  return Object.entries(dictionary).flatMap(([name, text]: [string, unknown]) => {
    const key = path ? `${path}.${name}` : name;
    if (typeof text === 'string') return [{ key, text }];
    if (typeof text === 'function')
      return [1, 3].map((n) => ({ key, text: renderMessage(text as (values: object) => string, n) }));
    return dictionaryTexts(text as object, key);
  });
}

const renderMessage = (text: (values: object) => string, n: number): string => text(new Proxy({}, { get: () => n }));

export function nameTexts(language: 'zh' | 'en'): ReadText[] {
  return [
    ...Object.entries(allNames).map(([id, name]) => ({ key: `command ${id}`, text: name[language] })),
    ...listScreens().map((screen) => ({ key: `screen ${screen.path}`, text: screen[language] })),
    ...Object.entries(builtInRoles).flatMap(([id, { name, description }]) => [
      { key: `role ${id}`, text: name[language] },
      { key: `role ${id}, description`, text: description[language] },
    ]),
  ];
}

/** Mails, alerts and export headers. Demo content is exempt. */
export function serverTexts(language: 'zh' | 'en'): ReadText[] {
  const literalPattern = new RegExp(String.raw`\b${language}: (['"\x60])((?:(?!\1)[^\n])+)\1`, 'g');
  return readdirSync('server', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|^(?:dev|seed|testing|suites)\//.test(file))
    .flatMap((file) =>
      [...readFileSync(join('server', file), 'utf8').matchAll(literalPattern)].map(([, , text = '']) => ({
        key: `server/${file}`,
        text,
      })),
    );
}

export function pageTexts(language: 'zh' | 'en'): ReadText[] {
  const pageStrings = [...readFileSync('index.html', 'utf8').matchAll(/>([^<>]*\p{L}[^<>]*)</gu)].map(([, text = '']) =>
    text.trim(),
  );
  return pageStrings
    .flatMap((text) => text.split(/(?<=。) /))
    .filter((text) => /\p{Script=Han}/u.test(text) === (language === 'zh'))
    .map((text) => ({ key: 'index.html', text }));
}

export interface TextRule {
  fault: string;
  find: RegExp | ((read: ReadText) => boolean);
  /** With its key if the rule checks keys. */
  example: string | ReadText;
  /** Not for program messages, which quote code and are searched in logs. */
  interfaceOnly?: true;
  /** Reasons by exempt key. */
  except?: Readonly<Record<string, string>>;
}

export function brokenRules(rules: readonly TextRule[], texts: readonly ReadText[]): string[] {
  return rules.flatMap(({ fault, find, except = {} }) =>
    texts
      .filter(({ key }) => !(key in except))
      .filter((read) => (find instanceof RegExp ? find.test(read.text) : find(read)))
      .map(({ key, text }) => `${fault}: ${key}: ${text}`),
  );
}

/** Help pages, a line each, without markup. */
export function helpTexts(locale: 'zh-CN' | 'en-US'): ReadText[] {
  const folder = `src/lib/help/pages/${locale}`;
  return readdirSync(folder).flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .map((line) => line.replaceAll(/^#+ | \{#[\w-]+\}$|\{[\w.:]+\}|`[^`]+`|\]\([^)]+\)|[[*]/g, '').trim())
      .filter((text) => text !== '')
      .map((text) => ({ key: `help ${file}`, text })),
  );
}
