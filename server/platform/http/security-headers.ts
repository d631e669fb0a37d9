import type { Config } from '../core/config.ts';

type HeaderValues = Readonly<Record<string, string>>;

/**
 * Headers of every answer that does not set its own: of pages, and of all that is no page, which may load and show nothing if
 * somebody opens it as one, and needs no more words. A list's scripts came with a sixth of their own size in headers. The
 * one opening in the policy of pages is `img-src`: pictures of news are addresses anywhere on the web, and who publishes them has to
 * see them (docs/security.md).
 */
export function securityHeaders({ publicUrl }: Pick<Config, 'publicUrl'>): { page: HeaderValues; other: HeaderValues } {
  const secure = publicUrl.startsWith('https://');
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' https: http: data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "frame-src 'none'",
    "frame-ancestors 'none'",
    "form-action 'none'",
    "base-uri 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    ...(secure ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
  const always = {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    ...(secure && { 'strict-transport-security': 'max-age=63072000; includeSubDomains' }),
  };
  return {
    page: {
      'content-security-policy': policy,
      ...always,
      'cross-origin-opener-policy': 'same-origin',
      'origin-agent-cluster': '?1',
      'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), midi=(), payment=(), usb=()',
      'x-dns-prefetch-control': 'off',
    },
    other: { 'content-security-policy': "default-src 'none'; frame-ancestors 'none'", ...always },
  };
}
