import { t } from '../i18n/i18n.ts';

/** Appears after 200 ms. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div role="status" data-loading="" className="after-200ms flex flex-col gap-3 p-4">
      <span className="sr-only">{t('common.loading')}</span>
      {Array.from({ length: lines }, (_, line) => (
        <div
          key={line}
          aria-hidden="true"
          className={`h-4 rounded-chip bg-layer-active ${line % 3 === 2 ? 'w-1/2' : 'w-full'}`}
        />
      ))}
    </div>
  );
}
