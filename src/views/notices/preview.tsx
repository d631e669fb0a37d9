import Megaphone from 'lucide-react/icons/megaphone';
import type { NoticeRow } from '../../../api/notices/contract.ts';
import { api } from '../../lib/net/client.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { closePreview, usePreviewed } from '../../lib/ui/record/use-previewed.ts';
import { PlaceholderPage, WebsitePreview, type PreviewWidth } from '../layout/website-preview.tsx';

export function NoticePreview({ id }: { id: string }) {
  const row = usePreviewed('notices', id, api.notices.many);
  if (row === null) return null;
  const { platform } = row;
  return (
    <WebsitePreview row={row} startWidth={platform === 'all' ? undefined : platform} onClose={closePreview} links={[row.link]}>
      {(width) => (
        <>
          {platform !== 'all' && platform !== width ? (
            <p className="px-6 py-4 text-2">{t('notices.preview.elsewhere')}</p>
          ) : (
            <Banner row={row} width={width} />
          )}
          <PlaceholderPage width={width} />
        </>
      )}
    </WebsitePreview>
  );
}

const Banner = ({ row, width }: { row: NoticeRow; width: PreviewWidth }) => (
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
