export const newsTexts = {
  field: {
    coverage: '语言',
    language: '原文语言',
    translatedTitle: '译文标题',
    translatedDescription: '译文描述',
    translatedLink: '译文链接',
  },
  translation: '译文',
  hint: { language: '标题、描述和链接的语言。留空则自动识别。', translatedLink: '留空则使用原文链接' },
  previewLanguage: '预览语言',
  fallback: { 'zh-CN': '没有中文文本，官网将展示英文。', 'en-US': '没有英文文本，官网将展示中文。' },
  language: { 'zh-CN': '中文', 'en-US': '英文' },
  coverage: { both: '中英双语', 'zh-CN': '仅中文', 'en-US': '仅英文' },
};
