import type { Config } from '../core/config.ts';
import { isLoopback, isLoopbackHost } from '../core/config-checks.ts';
import { createAppError } from '../core/errors.ts';

/** Throws FORBIDDEN for another site's write and, with demo data, for another host name (DNS rebinding). */
export function requireOwnOrigin(request: Request, url: URL, { publicUrl, demo }: Config): void {
  const ownUrl = new URL(publicUrl);
  if (demo && !isLoopbackHost(url.hostname) && url.hostname !== ownUrl.hostname) throw createAppError('FORBIDDEN');
  if (request.method === 'GET' || request.method === 'HEAD') return;
  const fetchSite = request.headers.get('sec-fetch-site');
  if (fetchSite !== null && fetchSite !== 'same-origin' && fetchSite !== 'none') throw createAppError('FORBIDDEN');
  const origin = request.headers.get('origin');
  const isOwnOrigin = origin === null || origin === ownUrl.origin || (demo && URL.canParse(origin) && isLoopback(origin));
  if (!isOwnOrigin) throw createAppError('FORBIDDEN');
}
