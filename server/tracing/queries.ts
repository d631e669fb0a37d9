import type { Attributes } from '@opentelemetry/api';
import pg from 'pg';

type Query = (this: unknown, ...given: unknown[]) => unknown;
/** Begins a span and answers how to end it; null: nobody asked within something that is traced. */
type Begin = (name: string, attributes: Attributes) => ((failed: boolean) => void) | null;

/** Tells of each statement, without its values. pg has no channel of its own: its one method is wrapped for as long as somebody looks. */
export function traceQueries(begin: Begin): () => void {
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  prototype.query = function (...given) {
    const text = textOf(given[0]);
    const end =
      text === null
        ? null
        : begin(text.trimStart().split(/\s/, 1)[0]?.toUpperCase() ?? '', {
            'db.system.name': 'postgresql',
            'db.query.text': text,
          });
    if (!end) return query.apply(this, given);
    const last = given.at(-1);
    if (typeof last === 'function')
      return query.apply(this, [
        ...given.slice(0, -1),
        (error: unknown, ...found: unknown[]) => {
          end(Boolean(error));
          (last as Query)(error, ...found);
        },
      ]);
    const answer = query.apply(this, given);
    if (answer instanceof Promise)
      answer.then(
        () => end(false),
        () => end(true),
      );
    return answer;
  };
  return () => void (prototype.query = query);
}

/** The statement, its values left out; null for what is streamed. */
function textOf(asked: unknown): string | null {
  if (typeof asked === 'string') return asked;
  if (typeof asked !== 'object' || asked === null || 'submit' in asked) return null;
  return 'text' in asked && typeof asked.text === 'string' ? asked.text : null;
}
