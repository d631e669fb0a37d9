import { ORPCError, type AnyRouter } from '@orpc/server';
import { StandardRPCHandler } from '@orpc/server/standard';
import { StrictGetMethodPlugin } from '@orpc/server/plugins';
import type { ErrorCode } from '../../../api/errors.ts';
import type { RequestContext } from '../core/context.ts';
import { failure, toFailure, type Failure } from '../core/errors.ts';
import { describeError } from '../core/log.ts';
import type { CallTrace } from './request-context.ts';

/** A context that also remembers what became of the call. */
export type CallContext = RequestContext & { readonly trace: CallTrace };

/** The contract as oRPC's own protocol has it; without its adapter for fetch, which makes a Request and a Response more than there need be. */
export const createRpc = (router: AnyRouter): StandardRPCHandler<CallContext> =>
  new StandardRPCHandler<CallContext>(router, { ...interceptors(), plugins: [new StrictGetMethodPlugin()] });

interface Call {
  readonly context: CallContext;
  readonly path: readonly string[];
  next(): Promise<unknown>;
}

/** Around each call: notes its name and turns a failure into one of the catalog. */
export function interceptors() {
  const answerFailure = async <T>({ context, next }: { context: CallContext; next: () => Promise<T> }): Promise<T> => {
    try {
      return await next();
    } catch (error) {
      throw withRequestId(seenFailure(error, context), context);
    }
  };
  const noteCall = ({ context, path, next }: Call): Promise<unknown> => {
    context.trace.called = true;
    context.trace.route = path.join('.');
    return next();
  };
  return { interceptors: [answerFailure], clientInterceptors: [noteCall] };
}

/** The failure to answer with; what was nobody's fault outside is logged. */
export function seenFailure(error: unknown, context: CallContext): Failure {
  // Before the procedure was called only the request itself can have been wrong.
  const found =
    context.trace.called || error instanceof ORPCError ? toFailure(error) : failure('BAD_REQUEST', { issues: [] }, error);
  const wait = found.data?.['retryAfter'];
  context.trace.code = found.code;
  context.trace.retryAfter = typeof wait === 'number' ? Math.ceil(wait) : null;
  if (found.status >= 500) context.log.error({ code: found.code, err: describeError(found.cause ?? error) }, 'request failed');
  return found;
}

/** The failure as it goes out: with the request's id, by which the log has it. */
export function withRequestId(error: Failure, { requestId }: RequestContext) {
  const { code, status, message, data } = error;
  return new ORPCError<ErrorCode, Record<string, unknown>>(code, { status, message, data: { ...data, requestId } });
}
