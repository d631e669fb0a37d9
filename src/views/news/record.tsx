import MonitorSmartphone from 'lucide-react/icons/monitor-smartphone';
import { languages, pickTextInLanguage } from '../../../api/news/language.ts';
import type { NewsRow } from '../../../api/news/contract.ts';
import { newsTarget } from '../../commands/news/commands.ts';
import { recorded } from '../../commands/news/recorded.ts';
import { CommandTrigger } from '../../commands/ui/controls/command-trigger.tsx';
import { locale, t } from '../../lib/i18n/i18n.ts';
import { api } from '../../lib/net/client.ts';
import { addIcons } from '../../lib/ui/icon.tsx';
import { PictureStrip } from '../../lib/ui/value/picture-strip.tsx';
import { SafeImage } from '../../lib/ui/value/picture.tsx';
import { SafeLink } from '../../lib/ui/value/safe-link.tsx';
import { ShownPhase } from '../../lib/ui/value/shown-phase.tsx';
import { TimeText } from '../../lib/ui/value/time.tsx';
import { Details } from '../../lib/ui/record/details.tsx';
import { RecordView, useOpenedRecord } from '../layout/record-view.tsx';

addIcons({ 'monitor-smartphone': MonitorSmartphone });

export function NewsRecord({ id }: { id: string }) {
  const openedRecord = useOpenedRecord('news', id, api.news.many, newsTarget);
  if (!openedRecord) return null;
  const { row, targets } = openedRecord;
  const isBilingual = row.translatedTitle !== null;
  const { title, language } = pickTextInLanguage(row, locale());
  return (
    <RecordView
      title={title}
      state={<ShownPhase of="news" row={row} />}
      targets={targets}
      primary="news.edit"
      commands={[row.shown ? 'news.hide' : 'news.show', 'news.preview', 'news.delete']}
      history={{
        resource: 'news',
        entity: 'news',
        fields: recorded.news,
        current: row,
        load: api.news.history,
        restore: 'news.restore',
      }}
    >
      {row.image ? (
        <PictureStrip pictures={[row.image]} className="h-56 w-[27.5rem]" fit="contain" />
      ) : (
        <SafeImage src={null} alt={title} className="h-56 w-full" />
      )}
      {row.image && (
        <div className="flex items-start gap-2">
          <SafeLink href={row.image} whole />
          <CommandTrigger id="news.copyImage" targets={targets} compact />
        </div>
      )}
      {isBilingual ? <BilingualTexts row={row} /> : <Description text={row.description} />}
      <Details
        of={{
          'news.field.link': !isBilingual && <SafeLink href={row.link} whole />,
          'newsTranslations.field.coverage': !isBilingual && t(`newsTranslations.coverage.${language}`),
          'news.field.time': <TimeText iso={row.time} />,
          'schedule.startsAt': row.startsAt && <TimeText iso={row.startsAt} />,
          'schedule.endsAt': row.endsAt && <TimeText iso={row.endsAt} />,
          'news.field.createdAt': <TimeText iso={row.createdAt} />,
        }}
      />
    </RecordView>
  );
}

/** The reader's language first. */
const BilingualTexts = ({ row }: { row: NewsRow }) =>
  languages
    .toSorted((a, b) => Number(b === locale()) - Number(a === locale()))
    .map((language) => {
      const { title, description, link } = pickTextInLanguage(row, language);
      return (
        <section
          key={language}
          lang={language}
          aria-label={t(`newsTranslations.language.${language}`)}
          className="flex flex-col gap-1"
        >
          <p className="text-meta text-2">{t(`newsTranslations.language.${language}`)}</p>
          <h3 className="text-label font-semibold break-words">{title}</h3>
          <Description text={description} />
          <SafeLink href={link} whole />
        </section>
      );
    });

const Description = ({ text }: { text: string }) => <p className="text-label break-words whitespace-pre-wrap">{text}</p>;
