import type { Attributes } from '@opentelemetry/api';
import { observeQueries } from '../platform/db/observed-client.ts';

/** Begins a span and answers how to end it; null: nothing that is traced asked for it. */
type Begin = (name: string, attributes: Attributes) => ((failed: boolean) => void) | null;

/** Traces each statement, without its values, until the returned function is called. */
export const traceQueries = (begin: Begin): (() => void) =>
  observeQueries((text) =>
    begin(text.trimStart().split(/\s/, 1)[0]?.toUpperCase() ?? '', { 'db.system.name': 'postgresql', 'db.query.text': text }),
  );
