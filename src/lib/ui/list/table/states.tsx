import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point';
import WifiOff from 'lucide-react/icons/wifi-off';
import { ApiError } from '../../../net/client.ts';
import { errorText, readRequestId } from '../../../net/errors.ts';
import { formatTime } from '../../../format.ts';
import { t } from '../../../i18n/i18n.ts';
import { Button } from '../../button.tsx';
import { EmptyState } from '../../empty.tsx';
import { secondLines } from './columns.ts';

/** Hidden for the first 200 ms. */
export function LoadingRows({ columns }: { columns: readonly { id: string; width: number; grow?: number; below?: string }[] }) {
  const lines = secondLines(columns);
  const tracks = columns.filter(({ id }) => !lines.has(id));
  return (
    <div role="status" data-loading="" className="min-h-0 flex-1 overflow-hidden bg-surface">
      <span className="sr-only">{t('common.loading')}</span>
      <div aria-hidden="true" className="after-200ms">
        <div className="h-thead border-b border-hairline" />
        {Array.from({ length: 12 }, (_, row) => (
          <div key={row} className="flex h-row items-center gap-6 border-b border-hairline px-cell">
            {tracks.map(({ id, width, grow }, index) => (
              <div key={id} className="min-w-0" style={{ flex: `${grow ?? 0} 0 ${width - 24}px` }}>
                <div className={`h-3 rounded-chip bg-layer-active ${['w-3/4', 'w-1/2', 'w-2/3'][(row + index) % 3] ?? ''}`} />
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

/** The state bar shows it (views/layout/state-bar.tsx). */
export const isOffline = (error: unknown) => error instanceof ApiError && error.code === 'OFFLINE';
const isForbidden = (error: unknown) => error instanceof ApiError && error.code === 'FORBIDDEN';

const failureText = (error: unknown) => (isOffline(error) ? t('list.offline') : errorText(error));

export function LoadFailed({ error, retry }: { error: unknown; retry: () => void }) {
  const requestId = readRequestId(error);
  const Icon = isOffline(error) ? WifiOff : TriangleAlert;
  return (
    <div role="alert" className="flex min-h-0 flex-1 flex-col bg-surface">
      <EmptyState
        icon={<Icon size={20} aria-hidden="true" />}
        title={isForbidden(error) ? t('list.forbidden') : t('list.failed')}
        action={!isForbidden(error) && <Button onClick={retry}>{t('common.retry')}</Button>}
      >
        {failureText(error)}
        {requestId && <span className="mt-1 block font-mono text-meta">{t('errors.requestId', { id: requestId })}</span>}
      </EmptyState>
    </div>
  );
}

/** Older rows stay visible. */
export function FailedBanner({ error, readAt, retry }: { error: unknown; readAt: number; retry: () => void }) {
  const requestId = readRequestId(error);
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-hairline bg-warn-bg px-cell py-1 text-body text-warn-text"
    >
      <TriangleAlert size={16} aria-hidden="true" className="text-warn-icon" />
      <span className="min-w-0 flex-1">
        {failureText(error)} {t('list.older', { time: formatTime(new Date(readAt).toISOString()) })}
        {requestId && <span className="ps-2 font-mono text-meta">{t('errors.requestId', { id: requestId })}</span>}
      </span>
      <Button onClick={retry}>{t('common.retry')}</Button>
    </div>
  );
}

export function NothingMatches({ clear }: { clear: () => void }) {
  return (
    <EmptyState title={t('list.none')} action={<Button onClick={clear}>{t('list.clearFilter')}</Button>}>
      {t('list.noneHint')}
    </EmptyState>
  );
}
