import type { RouteMeta } from '../../../api/route.ts';
import type { AppError } from '../core/errors.ts';
import type { RequestContext } from '../services/context.ts';

/** Guarded like every route. */
export interface RawRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Hono syntax: '/pictures/:id'. */
  readonly path: string;
  readonly meta: RouteMeta;
  /** Only without a session (cross-origin.ts). */
  readonly crossOrigin?: true;
  /** The log omits the caller. */
  readonly anonymous?: true;
  /** For clients that expect another format of errors. */
  readonly presentError?: (error: AppError) => Response;
  handle(call: RawCall): Response | BufferedResponse | Promise<Response | BufferedResponse>;
}

/** Faster than a Response. */
export interface BufferedResponse {
  readonly whole: true;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer> | null;
}

export interface RawCall {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  readonly context: RequestContext;
}
