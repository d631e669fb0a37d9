import { CircleAlert } from 'lucide-react';
import { Component, type ReactNode } from 'react';
import { t } from '../lib/i18n/i18n.ts';
import { ChunkError } from '../lib/loader.ts';
import { buttonClass } from '../lib/ui/button-class.ts';
import { Empty } from '../lib/ui/empty.tsx';

/** What failed, in words, with a way on. */
export function Failure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const isChunk = error instanceof ChunkError;
  const title = isChunk ? t(error.part === 'styles' ? 'shell.failed.styles' : 'shell.failed.chunk') : t('shell.failed.title');
  return (
    <div role="alert" className="flex flex-1 flex-col">
      <Empty
        icon={<CircleAlert size={24} aria-hidden="true" className="text-danger-text" />}
        title={title}
        action={
          <>
            <button type="button" className={buttonClass('primary', 'px-2.5')} onClick={onRetry}>
              {t('common.retry')}
            </button>
            <button type="button" className={buttonClass('secondary', 'px-2.5')} onClick={() => location.reload()}>
              {t('shell.failed.reload')}
            </button>
          </>
        }
      >
        {isChunk ? <p>{causeText(error)}</p> : <p className="font-mono text-meta break-words">{error.name}</p>}
      </Empty>
    </div>
  );
}

function causeText({ reason }: ChunkError): string {
  if (reason === 'missing') return t('shell.failed.missing');
  if (reason === 'timeout') return t('shell.failed.timeout');
  return t('shell.failed.broken', { type: reason });
}

interface State {
  error: Error | null;
}

/** Keeps a fault in one screen from taking the whole panel with it. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render() {
    const { error } = this.state;
    return error ? <Failure error={error} onRetry={() => this.setState({ error: null })} /> : this.props.children;
  }
}
