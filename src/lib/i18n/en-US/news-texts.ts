export const newsTexts = {
  field: {
    coverage: 'Languages',
    language: 'Original language',
    translatedTitle: 'Translated title',
    translatedDescription: 'Translated description',
    translatedLink: 'Translated link',
  },
  translation: 'Translation',
  hint: {
    language: 'Language of the title, description and link. If you leave this empty, the panel detects the language.',
    translatedLink: 'Leave empty to use the original link',
  },
  previewLanguage: 'Preview language',
  fallback: {
    'zh-CN': 'This item has no Chinese text. The website shows English.',
    'en-US': 'This item has no English text. The website shows Chinese.',
  },
  language: { 'zh-CN': 'Chinese', 'en-US': 'English' },
  coverage: { both: 'Both languages', 'zh-CN': 'Chinese only', 'en-US': 'English only' },
};
