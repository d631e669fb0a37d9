import type { Config } from '../core/config.ts';

type HeaderValues = Readonly<Record<string, string>>;

/** Pages allow any `img-src`, because publishers must see the external pictures of news (docs/security.md). */
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
