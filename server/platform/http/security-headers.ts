import type { Config } from '../core/config.ts';

type HeaderValues = Readonly<Record<string, string>>;

/** Pages allow any `img-src`, because publishers must see the external pictures of news (docs/security.md). */
export function buildSecurityHeaders({ publicUrl }: Pick<Config, 'publicUrl'>): { page: HeaderValues; other: HeaderValues } {
  const isHttps = publicUrl.startsWith('https://');
  const contentSecurityPolicy = [
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
    ...(isHttps ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
  const commonHeaders = {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    ...(isHttps && { 'strict-transport-security': 'max-age=63072000; includeSubDomains' }),
  };
  return {
    page: {
      'content-security-policy': contentSecurityPolicy,
      ...commonHeaders,
      'cross-origin-opener-policy': 'same-origin',
      'origin-agent-cluster': '?1',
      'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), midi=(), payment=(), usb=()',
      'x-dns-prefetch-control': 'off',
    },
    other: { 'content-security-policy': "default-src 'none'; frame-ancestors 'none'", ...commonHeaders },
  };
}
