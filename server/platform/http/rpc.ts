import { ORPCError, type AnyRouter } from '@orpc/server';
import { StandardRPCHandler } from '@orpc/server/standard';
import { StrictGetMethodPlugin } from '@orpc/server/plugins';
import type { ErrorCode } from '../../../api/errors.ts';
import type { RequestContext } from '../services/context.ts';
import { createAppError, toAppError, type AppError } from '../core/errors.ts';
import { describeError } from '../core/log.ts';
import type { CallTrace } from './request-context.ts';

export type CallContext = RequestContext & { readonly trace: CallTrace };

/** oRPC's fetch adapter would create an extra Request and Response. */
export const createRpc = (router: AnyRouter): StandardRPCHandler<CallContext> =>
  new StandardRPCHandler<CallContext>(router, { ...createRpcInterceptors(), plugins: [new StrictGetMethodPlugin()] });

interface RpcCall {
  readonly context: CallContext;
  readonly path: readonly string[];
  next(): Promise<unknown>;
}

export function createRpcInterceptors() {
  const reportFailure = async <T>({ context, next }: { context: CallContext; next: () => Promise<T> }): Promise<T> => {
    try {
      return await next();
    } catch (error) {
      throw addRequestId(toReportedError(error, context), context);
    }
  };
  const recordCall = ({ context, path, next }: RpcCall): Promise<unknown> => {
    context.trace.called = true;
    context.trace.route = path.join('.');
    return next();
  };
  return { interceptors: [reportFailure], clientInterceptors: [recordCall] };
}

export function toReportedError(error: unknown, context: CallContext): AppError {
  // Before the procedure, only the request can be wrong.
  const appErrorOfCall =
    context.trace.called || error instanceof ORPCError ? toAppError(error) : createAppError('BAD_REQUEST', { issues: [] }, error);
  const retryAfter = appErrorOfCall.data?.['retryAfter'];
  context.trace.code = appErrorOfCall.code;
  context.trace.retryAfter = typeof retryAfter === 'number' ? Math.ceil(retryAfter) : null;
  if (appErrorOfCall.status >= 500)
    context.log.error({ code: appErrorOfCall.code, err: describeError(appErrorOfCall.cause ?? error) }, 'request failed');
  return appErrorOfCall;
}

export function addRequestId(error: AppError, { requestId }: RequestContext) {
  const { code, status, message, data } = error;
  return new ORPCError<ErrorCode, Record<string, unknown>>(code, { status, message, data: { ...data, requestId } });
}
