import { useState } from 'react';
import { languages, pickTextInLanguage, type Language } from '../../../api/news/language.ts';
import type { NewsRow } from '../../../api/news/contract.ts';
import { formatTime } from '../../lib/format.ts';
import { locale, t } from '../../lib/i18n/i18n.ts';
import { api } from '../../lib/net/client.ts';
import { closePreview, usePreviewed } from '../../lib/ui/record/use-previewed.ts';
import { SafeImage } from '../../lib/ui/value/picture.tsx';
import { Choices, WebsitePreview, type PreviewWidth } from '../layout/website-preview.tsx';

export function NewsPreview({ id }: { id: string }) {
  const row = usePreviewed('news', id, api.news.many);
  const [language, setLanguage] = useState<Language>(locale());
  if (row === null) return null;
  const text = pickTextInLanguage(row, language);
  return (
    <WebsitePreview
      row={row}
      onClose={closePreview}
      links={[text.link]}
      choices={
        <Choices
          label={t('newsTranslations.previewLanguage')}
          all={languages}
          chosen={language}
          textOf={(language) => t(`newsTranslations.language.${language}`)}
          onChoose={setLanguage}
        />
      }
    >
      {(width) => (
        <div className="flex flex-col gap-3 pb-6">
          {text.language !== language && (
            <p role="status" className="px-6 pt-3 text-2">
              {t(`newsTranslations.fallback.${language}`)}
            </p>
          )}
          <Card row={row} text={text} width={width} />
        </div>
      )}
    </WebsitePreview>
  );
}

const Card = ({ row, text, width }: { row: NewsRow; text: ReturnType<typeof pickTextInLanguage>; width: PreviewWidth }) => (
  <article data-card lang={text.language} className={`flex gap-4 ${width === 'mobile' ? 'flex-col p-4' : 'px-6 pt-6'}`}>
    <SafeImage
      src={row.image}
      alt=""
      className={`shrink-0 rounded-card ${width === 'mobile' ? 'aspect-video w-full' : 'h-36 w-64'}`}
    />
    <div className="flex min-w-0 flex-1 flex-col gap-1">
      <h3 className="text-section font-semibold break-words underline" dir="auto">
        {text.title}
      </h3>
      <p className="text-meta text-2 tabular-nums">{formatTime(row.time)}</p>
      <p className="text-label break-words whitespace-pre-wrap" dir="auto">
        {text.description}
      </p>
    </div>
  </article>
);
