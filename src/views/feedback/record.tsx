import { recorded } from '../../commands/feedback/recorded.ts';
import { feedbackTarget } from '../../commands/feedback/commands.ts';
import { CommandTrigger } from '../../commands/ui/controls/command-trigger.tsx';
import { api } from '../../lib/net/client.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { useOpenRecord } from '../../lib/ui/record/open-record.ts';
import { RecordSheet } from '../../lib/ui/record/peek.tsx';
import { useRecord } from '../../lib/ui/record/use-record.ts';
import { PictureStrip } from '../../lib/ui/value/picture-strip.tsx';
import { RecordHistory } from '../../lib/ui/record/record-history.tsx';
import { Time } from '../../lib/ui/value/time.tsx';
import { Replies } from './replies.tsx';
import { FeedbackStatus } from './status.tsx';

export function FeedbackRecord({ id }: { id: string }) {
  const { row, isGone } = useRecord('feedback', id, api.feedback.many);
  useOpenRecord(row, feedbackTarget, isGone);
  if (!row) return null;
  const target = [feedbackTarget(row)];
  return (
    <RecordSheet title={row.email} description={<FeedbackStatus row={row} />} wide>
      <div data-record className="flex flex-col gap-5">
        <div className="flex flex-wrap gap-2">
          {row.processed ? (
            <CommandTrigger id="feedback.reopen" targets={target} />
          ) : (
            <CommandTrigger id="feedback.process" targets={target} look="primary" />
          )}
          <CommandTrigger id="feedback.reply" targets={target} />
          <CommandTrigger id="feedback.delete" targets={target} />
        </div>
        <p dir="auto" className="text-label break-words whitespace-pre-wrap">
          {row.content}
        </p>
        {row.pictures.length > 0 && <PictureStrip pictures={row.pictures} className="h-32 w-44" />}
        <Replies row={row} />
        <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
          <dt className="text-2">{t('feedback.field.email')}</dt>
          <dd className="min-w-0 break-all">
            {row.email} <span className="text-meta text-2">{t('feedback.unchecked')}</span>
          </dd>
          <dt className="text-2">{t('feedback.field.time')}</dt>
          <dd>
            <Time iso={row.createdAt} />
          </dd>
          {row.processedAt && (
            <>
              <dt className="text-2">{t('feedback.field.processedAt')}</dt>
              <dd>
                <Time iso={row.processedAt} />
              </dd>
            </>
          )}
        </dl>
        <RecordHistory
          resource="feedback"
          entity="feedback"
          fields={recorded.feedback}
          id={id}
          load={(input, signal) => api.feedback.history(input, { signal })}
          current={row}
        />
      </div>
    </RecordSheet>
  );
}
