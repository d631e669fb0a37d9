import { useQuery } from '@tanstack/react-query';
import Megaphone from 'lucide-react/icons/megaphone';
import { useEffect, useState } from 'react';
import type { NoticeRow } from '../../../api/notices/contract.ts';
import { api } from '../../lib/net/client.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { queryClient } from '../../lib/net/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { WebsiteState } from '../../lib/ui/value/shown-phase.tsx';
import { Dialog } from '../../lib/ui/overlay/dialog.tsx';
import { removeParams } from '../../lib/ui/record/open-record.ts';

const close = () => removeParams('preview');
const widths = ['desktop', 'mobile'] as const;
type Width = (typeof widths)[number];

/** As on the official website, at desktop or phone width. Links are plain text. */
export function NoticePreview({ id }: { id: string }) {
  const { data, isSuccess } = useQuery(
    { queryKey: ['notices', 'one', id], queryFn: ({ signal }) => api.notices.many({ ids: [id] }, { signal }) },
    queryClient,
  );
  const row = data?.[0];
  const isGone = isSuccess && !row;
  useEffect(() => {
    if (isGone) close();
  }, [isGone]);
  return row ? <Preview row={row} /> : null;
}

function Preview({ row }: { row: NoticeRow }) {
  const [width, setWidth] = useState<Width>(row.platform === 'mobile' ? 'mobile' : 'desktop');
  const isElsewhere = row.platform !== 'all' && row.platform !== width;
  return (
    <Dialog open onClose={close} size="large" title={t('notices.preview.title')} description={<WebsiteState row={row} />}>
      <div data-preview={width} className="flex flex-col gap-3 pb-3">
        <div role="group" aria-label={t('notices.preview.widths')} className="flex gap-2">
          {widths.map((one) => (
            <Button
              key={one}
              aria-pressed={one === width}
              look={one === width ? 'primary' : 'secondary'}
              onClick={() => setWidth(one)}
            >
              {t(`notices.platform.${one}`)}
            </Button>
          ))}
        </div>
        <div className="overflow-x-auto rounded-card border border-hairline bg-canvas">
          <div className={width === 'mobile' ? 'mx-auto w-[375px]' : 'min-w-[960px]'}>
            <div className="flex min-h-80 flex-col border-x border-hairline bg-surface">
              <Bar width={width} />
              {isElsewhere ? (
                <p className="px-6 py-4 text-2">{t('notices.preview.elsewhere')}</p>
              ) : (
                <Banner row={row} width={width} />
              )}
              <Page width={width} />
            </div>
          </div>
        </div>
        <p className="flex flex-col text-meta text-2">
          {t('notices.preview.inert')}
          <span dir="ltr" className="font-mono break-all">
            {row.link}
          </span>
        </p>
      </div>
    </Dialog>
  );
}

const Banner = ({ row, width }: { row: NoticeRow; width: Width }) => (
  <div
    data-banner
    className={`flex items-start gap-3 bg-info-bg text-label text-info-text ${width === 'mobile' ? 'px-4 py-3' : 'px-6 py-3'}`}
  >
    <Megaphone size={16} aria-hidden="true" className="mt-0.5 text-info-icon" />
    <p className={`min-w-0 flex-1 ${width === 'mobile' ? 'flex flex-col gap-1' : 'flex items-start gap-4'}`}>
      <span className="min-w-0 flex-1 break-words whitespace-pre-wrap" dir="auto">
        {row.content}
      </span>
      <span className="shrink-0 font-medium underline">{t('notices.preview.more')}</span>
    </p>
  </div>
);

const Bar = ({ width }: { width: Width }) => (
  <div aria-hidden="true" className="flex items-center gap-6 border-b border-hairline px-6 py-3">
    <span className="size-6 rounded-full bg-layer-hover" />
    {width === 'desktop' && [64, 88, 72].map((size) => <Line key={size} width={size} />)}
    <span className="ms-auto h-7 w-24 rounded-control bg-layer-hover" />
  </div>
);

const Page = ({ width }: { width: Width }) => (
  <div aria-hidden="true" className={`flex flex-1 flex-col gap-3 ${width === 'mobile' ? 'p-4' : 'p-10'}`}>
    <span className="h-8 w-1/2 rounded-control bg-layer-hover" />
    <Line width={280} />
    <Line width={220} />
  </div>
);

const Line = ({ width }: { width: number }) => <span className="h-3 max-w-full rounded-chip bg-layer-hover" style={{ width }} />;
