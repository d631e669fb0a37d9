import type { Attributes } from '@opentelemetry/api';
import { observeQueries } from '../platform/db/observed-client.ts';

/** Null outside a trace. */
type BeginSpan = (name: string, attributes: Attributes) => ((hasFailed: boolean) => void) | null;

/** Without values. */
export const traceQueries = (begin: BeginSpan): (() => void) =>
  observeQueries((text) =>
    begin(text.trimStart().split(/\s/, 1)[0]?.toUpperCase() ?? '', { 'db.system.name': 'postgresql', 'db.query.text': text }),
  );
