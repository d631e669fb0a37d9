import { recorded } from '../../commands/feedback/recorded.ts';
import { feedbackTarget } from '../../commands/feedback/commands.ts';
import { api } from '../../lib/net/client.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { PictureStrip } from '../../lib/ui/value/picture-strip.tsx';
import { TimeText } from '../../lib/ui/value/time.tsx';
import { Details } from '../../lib/ui/record/details.tsx';
import { RecordView, useOpenedRecord } from '../layout/record-view.tsx';
import { Replies } from './replies.tsx';
import { FeedbackStatus } from './status.tsx';

export function FeedbackRecord({ id }: { id: string }) {
  const openedRecord = useOpenedRecord('feedback', id, api.feedback.many, feedbackTarget);
  if (!openedRecord) return null;
  const { row, targets } = openedRecord;
  return (
    <RecordView
      wide
      title={row.email}
      state={<FeedbackStatus row={row} />}
      targets={targets}
      primary={row.processed ? 'feedback.reply' : 'feedback.process'}
      commands={[row.processed ? 'feedback.reopen' : 'feedback.reply', 'feedback.delete']}
      history={{
        resource: 'feedback',
        entity: 'feedback',
        fields: recorded.feedback,
        current: row,
        load: api.feedback.history,
      }}
    >
      <p dir="auto" className="text-label break-words whitespace-pre-wrap">
        {row.content}
      </p>
      {row.pictures.length > 0 && <PictureStrip pictures={row.pictures} className="h-32 w-44" />}
      <Replies row={row} />
      <Details
        of={{
          'feedback.field.email': (
            <>
              {row.email} <span className="text-meta text-2">{t('feedback.unchecked')}</span>
            </>
          ),
          'feedback.field.time': <TimeText iso={row.createdAt} />,
          'feedback.field.processedAt': row.processedAt && <TimeText iso={row.processedAt} />,
        }}
      />
    </RecordView>
  );
}
