import { ORPCError, type AnyRouter } from '@orpc/server';
import { StandardRPCHandler } from '@orpc/server/standard';
import { StrictGetMethodPlugin } from '@orpc/server/plugins';
import type { ErrorCode } from '../../../api/errors.ts';
import type { RequestContext } from '../services/context.ts';
import { appError, toAppError, type AppError } from '../core/errors.ts';
import { describeError } from '../core/log.ts';
import type { CallTrace } from './request-context.ts';

export type CallContext = RequestContext & { readonly trace: CallTrace };

/** oRPC's fetch adapter would create an extra Request and Response. */
export const createRpc = (router: AnyRouter): StandardRPCHandler<CallContext> =>
  new StandardRPCHandler<CallContext>(router, { ...rpcInterceptors(), plugins: [new StrictGetMethodPlugin()] });

interface Call {
  readonly context: CallContext;
  readonly path: readonly string[];
  next(): Promise<unknown>;
}

export function rpcInterceptors() {
  const answerFailure = async <T>({ context, next }: { context: CallContext; next: () => Promise<T> }): Promise<T> => {
    try {
      return await next();
    } catch (error) {
      throw withRequestId(reportedFailure(error, context), context);
    }
  };
  const noteCall = ({ context, path, next }: Call): Promise<unknown> => {
    context.trace.called = true;
    context.trace.route = path.join('.');
    return next();
  };
  return { interceptors: [answerFailure], clientInterceptors: [noteCall] };
}

export function reportedFailure(error: unknown, context: CallContext): AppError {
  // Before the procedure, only the request can be wrong.
  const found =
    context.trace.called || error instanceof ORPCError ? toAppError(error) : appError('BAD_REQUEST', { issues: [] }, error);
  const wait = found.data?.['retryAfter'];
  context.trace.code = found.code;
  context.trace.retryAfter = typeof wait === 'number' ? Math.ceil(wait) : null;
  if (found.status >= 500) context.log.error({ code: found.code, err: describeError(found.cause ?? error) }, 'request failed');
  return found;
}

export function withRequestId(error: AppError, { requestId }: RequestContext) {
  const { code, status, message, data } = error;
  return new ORPCError<ErrorCode, Record<string, unknown>>(code, { status, message, data: { ...data, requestId } });
}
