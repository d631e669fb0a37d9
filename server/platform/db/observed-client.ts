import pg from 'pg';

type Query = (...args: unknown[]) => unknown;
type Observer = (text: string) => ((failed: boolean) => void) | null;

let observer: Observer | null = null;

export function observeQueries(next: Observer): () => void {
  observer = next;
  return () => void (observer = null);
}

export class ObservedClient extends pg.Client {
  constructor(options?: string | pg.ClientConfig) {
    super(options);
    const send = this.query.bind(this) as Query;
    this.query = ((...args: unknown[]) => {
      const text = observer && textOf(args[0]);
      const end = observer && text !== null ? observer(text) : null;
      return end ? observed(send, args, end) : send(...args);
    }) as pg.Client['query'];
  }
}

function observed(send: Query, args: unknown[], end: (failed: boolean) => void): unknown {
  const last = args.at(-1);
  if (typeof last === 'function') {
    const done = (error: unknown, ...found: unknown[]) => {
      end(Boolean(error));
      (last as Query)(error, ...found);
    };
    return send(...args.slice(0, -1), done);
  }
  const answer = send(...args);
  if (answer instanceof Promise)
    answer.then(
      () => end(false),
      () => end(true),
    );
  return answer;
}

function textOf(query: unknown): string | null {
  if (typeof query === 'string') return query;
  if (typeof query !== 'object' || query === null || 'submit' in query) return null;
  return 'text' in query && typeof query.text === 'string' ? query.text : null;
}
