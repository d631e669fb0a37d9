import type { Config } from '../core/config.ts';
import { isLoopback, isLoopbackHost } from '../core/config-checks.ts';
import { appError } from '../core/errors.ts';

/** Throws FORBIDDEN for another site's write and, with demo data, for another host name (DNS rebinding). */
export function requireOwnAddress(request: Request, url: URL, { publicUrl, demo }: Config): void {
  const own = new URL(publicUrl);
  if (demo && !isLoopbackHost(url.hostname) && url.hostname !== own.hostname) throw appError('FORBIDDEN');
  if (request.method === 'GET' || request.method === 'HEAD') return;
  const site = request.headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin' && site !== 'none') throw appError('FORBIDDEN');
  const origin = request.headers.get('origin');
  const isOwn = origin === null || origin === own.origin || (demo && URL.canParse(origin) && isLoopback(origin));
  if (!isOwn) throw appError('FORBIDDEN');
}
