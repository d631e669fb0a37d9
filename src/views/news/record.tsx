import { newsTarget } from '../../commands/news/commands.ts';
import { recorded } from '../../commands/news/recorded.ts';
import { CommandTrigger } from '../../commands/ui/controls/command-trigger.tsx';
import { api } from '../../lib/net/client.ts';
import { PictureStrip } from '../../lib/ui/value/picture-strip.tsx';
import { SafeImage } from '../../lib/ui/value/picture.tsx';
import { SafeLink } from '../../lib/ui/value/safe-link.tsx';
import { ShownChip } from '../../lib/ui/value/shown-chip.tsx';
import { Time } from '../../lib/ui/value/time.tsx';
import { Details } from '../../lib/ui/record/details.tsx';
import { RecordView, useOpenedRecord } from '../layout/record-view.tsx';

export function NewsRecord({ id }: { id: string }) {
  const opened = useOpenedRecord('news', id, api.news.many, newsTarget);
  if (!opened) return null;
  const { row, targets } = opened;
  return (
    <RecordView
      title={row.title}
      state={<ShownChip of="news" row={row} />}
      targets={targets}
      primary="news.edit"
      commands={[row.shown ? 'news.hide' : 'news.show', 'news.delete']}
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
        <SafeImage src={null} alt={row.title} className="h-56 w-full" />
      )}
      {row.image && (
        <div className="flex items-start gap-2">
          <SafeLink href={row.image} whole />
          <CommandTrigger id="news.copyImage" targets={targets} compact />
        </div>
      )}
      <p className="text-label break-words whitespace-pre-wrap">{row.description}</p>
      <Details
        of={{
          'news.field.link': <SafeLink href={row.link} whole />,
          'news.field.time': <Time iso={row.time} />,
          'news.field.createdAt': <Time iso={row.createdAt} />,
        }}
      />
    </RecordView>
  );
}
