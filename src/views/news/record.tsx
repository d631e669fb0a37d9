import type { RecordedVersion } from '../../../api/history.ts';
import { recorded } from '../../commands/news/recorded.ts';
import { versionTarget } from '../../commands/engine/versions.ts';
import { newsTarget } from '../../commands/news/commands.ts';
import { CommandTrigger } from '../../commands/ui/controls/command-trigger.tsx';
import { api } from '../../lib/net/client.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { useOpenRecord } from '../../lib/ui/record/open-record.ts';
import { RecordSheet } from '../../lib/ui/record/peek.tsx';
import { useRecord } from '../../lib/ui/record/use-record.ts';
import { RecordHistory } from '../../lib/ui/record/record-history.tsx';
import { PictureStrip } from '../../lib/ui/value/picture-strip.tsx';
import { SafeImage } from '../../lib/ui/value/picture.tsx';
import { SafeLink } from '../../lib/ui/value/safe-link.tsx';
import { Time } from '../../lib/ui/value/time.tsx';
import { ShownChip } from '../../lib/ui/value/shown-chip.tsx';

const restore = (version: RecordedVersion) => (
  <CommandTrigger id="news.restore" targets={[versionTarget(version)]} label={t('record.history.restore')} />
);

export function NewsRecord({ id }: { id: string }) {
  const { row, isGone } = useRecord('news', id, api.news.many);
  useOpenRecord(row, newsTarget, isGone);
  if (!row) return null;
  const target = [newsTarget(row)];
  return (
    <RecordSheet title={row.title} description={<ShownChip of="news" row={row} />}>
      <div data-record className="flex flex-col gap-5">
        <div className="flex flex-wrap gap-2">
          <CommandTrigger id="news.edit" targets={target} />
          {row.shown ? <CommandTrigger id="news.hide" targets={target} /> : <CommandTrigger id="news.show" targets={target} />}
          <CommandTrigger id="news.delete" targets={target} />
        </div>
        {row.image ? (
          <PictureStrip pictures={[row.image]} className="h-56 w-[27.5rem]" fit="contain" />
        ) : (
          <SafeImage src={null} alt={row.title} className="h-56 w-full" />
        )}
        {row.image && (
          <div className="flex items-start gap-2">
            <SafeLink href={row.image} whole />
            <CommandTrigger id="news.copyImage" targets={target} compact />
          </div>
        )}
        <p className="text-label break-words whitespace-pre-wrap">{row.description}</p>
        <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
          <dt className="text-2">{t('news.field.link')}</dt>
          <dd className="min-w-0">
            <SafeLink href={row.link} whole />
          </dd>
          <dt className="text-2">{t('news.field.time')}</dt>
          <dd>
            <Time iso={row.time} />
          </dd>
          <dt className="text-2">{t('news.field.createdAt')}</dt>
          <dd>
            <Time iso={row.createdAt} />
          </dd>
        </dl>
        <RecordHistory
          resource="news"
          entity="news"
          fields={recorded.news}
          id={id}
          load={(input, signal) => api.news.history(input, { signal })}
          current={row}
          action={restore}
        />
      </div>
    </RecordSheet>
  );
}
