type Language = 'zh-CN' | 'en-US';

/** `Intl` omits China in these names. */
const overriddenNames: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  HK: { 'zh-CN': '中国香港', 'en-US': 'Hong Kong (China)' },
  MO: { 'zh-CN': '中国澳门', 'en-US': 'Macao (China)' },
  TW: { 'zh-CN': '中国台湾', 'en-US': 'Taiwan (China)' },
};

const displayNames = new Map<Language, Intl.DisplayNames>();

export function formatRegionName(code: string, language: Language): string {
  const overriddenName = overriddenNames[code];
  if (overriddenName) return overriddenName[language];
  if (!/^[A-Z]{2}$/.test(code)) return code;
  const displayName = displayNames.get(language) ?? new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
  displayNames.set(language, displayName);
  return displayName.of(code) ?? code;
}
