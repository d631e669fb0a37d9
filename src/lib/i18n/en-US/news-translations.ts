export const newsTranslations = {
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
  join: {
    item: { 'zh-CN': 'Chinese item', 'en-US': 'English item' },
    field: {
      kept: 'Item to keep',
      links: 'Links',
      image: 'Image from',
      period: 'Display period from',
      text: 'Text',
      joined: 'Joined with',
    },
    hint: { kept: 'The ID, time and status of this item don’t change.' },
    links: { both: 'Each text has its own link', kept: 'Only the link of the item that stays' },
    stays: 'Stays',
    deleted: 'Moves to Deleted news',
    outcome: { kept: 'Kept', translation: 'Becomes the translation', same: 'Same in both', lost: 'Not kept' },
    always: 'No limit',
    result: {
      'zh-CN': 'The Chinese item stays, and the English text becomes its translation.',
      'en-US': 'The English item stays, and the Chinese text becomes its translation.',
    },
    warning: {
      hides: 'Both news items disappear from the official website, because the item you keep is set to Not Show.',
      changesWebsite: 'The official website changes right away.',
      noImage: 'The chosen image is missing. Without an image, the item can’t be shown.',
    },
  },
};
