import type { ChunkState } from '../chunks/use-chunk.ts';
import { t } from '../i18n/i18n.ts';
import { chunkText } from './chunk-text.ts';

/** Inline, in place of a field or a figure. */
export function FailedChunk({ error, retry, retrying }: ChunkState<unknown>) {
  return (
    error && (
      <p role="alert" className="text-body text-danger-text">
        {chunkText(error)}{' '}
        <button
          type="button"
          className="font-medium underline underline-offset-2"
          aria-busy={retrying || undefined}
          onClick={retry}
        >
          {t('common.retry')}
        </button>
      </p>
    )
  );
}
