export const newsTexts = {
  field: {
    coverage: 'Languages',
    language: 'Original language',
    translatedTitle: 'Translated title',
    translatedDescription: 'Translated description',
    translatedLink: 'Translated link',
  },
  language: { 'zh-CN': 'Chinese', 'en-US': 'English' },
  coverage: { both: 'Both languages', 'zh-CN': 'Chinese only', 'en-US': 'English only' },
};
