type Language = 'zh-CN' | 'en-US';

/** `Intl` omits China in these names. */
const ownNames: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  HK: { 'zh-CN': '中国香港', 'en-US': 'Hong Kong (China)' },
  MO: { 'zh-CN': '中国澳门', 'en-US': 'Macao (China)' },
  TW: { 'zh-CN': '中国台湾', 'en-US': 'Taiwan (China)' },
};

const formats = new Map<Language, Intl.DisplayNames>();

export function placeName(code: string, language: Language): string {
  const own = ownNames[code];
  if (own) return own[language];
  if (!/^[A-Z]{2}$/.test(code)) return code;
  const format = formats.get(language) ?? new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
  formats.set(language, format);
  return format.of(code) ?? code;
}
