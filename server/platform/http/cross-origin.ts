import type { Config } from '../core/config.ts';
import { createAppError } from '../core/errors.ts';

/** Public routes use no session or cookie. Throws FORBIDDEN for an unknown origin. */
export function buildCrossOriginHeaders(request: Request, { publicOrigins, publicUrl }: Config): [string, string][] {
  const origin = request.headers.get('origin');
  if (origin === null) return [['vary', 'origin']];
  const isKnown = origin === publicUrl || publicOrigins === 'any' || publicOrigins.includes(origin);
  if (!isKnown) throw createAppError('FORBIDDEN');
  return [
    ['vary', 'origin'],
    ['access-control-allow-origin', origin],
    ['access-control-expose-headers', 'retry-after, x-request-id'],
    ['cross-origin-resource-policy', 'cross-origin'],
  ];
}

export const createPreflightResponse = (method: string): Response =>
  new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': method,
      'access-control-allow-headers': 'content-type',
      'access-control-max-age': '600',
    },
  });
