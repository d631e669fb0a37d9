export const newsTexts = {
  field: {
    coverage: '语言',
    language: '原文语言',
    translatedTitle: '译文标题',
    translatedDescription: '译文描述',
    translatedLink: '译文链接',
  },
  language: { 'zh-CN': '中文', 'en-US': '英文' },
  coverage: { both: '中英双语', 'zh-CN': '仅中文', 'en-US': '仅英文' },
};
