import pg from 'pg';

type Query = (...given: unknown[]) => unknown;
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
    this.query = ((...given: unknown[]) => {
      const text = observer && textOf(given[0]);
      const end = observer && text !== null ? observer(text) : null;
      return end ? observed(send, given, end) : send(...given);
    }) as pg.Client['query'];
  }
}

function observed(send: Query, given: unknown[], end: (failed: boolean) => void): unknown {
  const last = given.at(-1);
  if (typeof last === 'function') {
    const done = (error: unknown, ...found: unknown[]) => {
      end(Boolean(error));
      (last as Query)(error, ...found);
    };
    return send(...given.slice(0, -1), done);
  }
  const answer = send(...given);
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
