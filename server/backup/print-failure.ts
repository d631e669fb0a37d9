import { ConfigError } from '../platform/core/config.ts';
import { getDatabaseErrorCode } from '../platform/core/error-code.ts';
import { describeError, findRootCause } from '../platform/core/log.ts';
import { escapeControls } from '../platform/core/redact.ts';
import { describeFileProblem, StartError } from '../platform/core/start-error.ts';

export function printFailure(error: unknown): void {
  const cause = findRootCause(describeFileProblem(error) ?? error);
  const code = getDatabaseErrorCode(cause);
  if (!(cause instanceof Error)) console.error(escapeControls(cause));
  else if (cause instanceof StartError || cause instanceof ConfigError || code?.startsWith('ERR_PARSE_ARGS'))
    console.error(cause.message);
  else if (code === 'UNAVAILABLE')
    console.error(`Can’t use the object storage: ${describeError(cause.cause ?? cause).message}. Check the S3_ variables.`);
  else if (code === '42501')
    console.error(`The database refused: ${cause.message}. Use the URL of the owner of the tables in DATABASE_URL.`);
  else console.error(escapeControls(cause));
}
