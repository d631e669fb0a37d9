import pg from 'pg';

type QueryFunction = (...args: unknown[]) => unknown;
type Observer = (text: string) => ((failed: boolean) => void) | null;

let observer: Observer | null = null;

export function observeQueries(newObserver: Observer): () => void {
  observer = newObserver;
  return () => void (observer = null);
}

export class ObservedClient extends pg.Client {
  constructor(options?: string | pg.ClientConfig) {
    super(options);
    const sendQuery = this.query.bind(this) as QueryFunction;
    this.query = ((...args: unknown[]) => {
      const text = observer && queryTextOf(args[0]);
      const reportEnd = observer && text !== null ? observer(text) : null;
      return reportEnd ? observeSend(sendQuery, args, reportEnd) : sendQuery(...args);
    }) as pg.Client['query'];
  }
}

function observeSend(sendQuery: QueryFunction, args: unknown[], reportEnd: (failed: boolean) => void): unknown {
  const callback = args.at(-1);
  if (typeof callback === 'function') {
    const observedCallback = (error: unknown, ...callbackArguments: unknown[]) => {
      reportEnd(Boolean(error));
      (callback as QueryFunction)(error, ...callbackArguments);
    };
    return sendQuery(...args.slice(0, -1), observedCallback);
  }
  const sendResult = sendQuery(...args);
  if (sendResult instanceof Promise)
    sendResult.then(
      () => reportEnd(false),
      () => reportEnd(true),
    );
  return sendResult;
}

function queryTextOf(query: unknown): string | null {
  if (typeof query === 'string') return query;
  if (typeof query !== 'object' || query === null || 'submit' in query) return null;
  return 'text' in query && typeof query.text === 'string' ? query.text : null;
}
