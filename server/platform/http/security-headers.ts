import type { Config } from '../core/config.ts';

/**
 * Headers of every answer that does not set its own. The one opening in the policy is `img-src`: pictures of news are
 * addresses anywhere on the web, and who publishes them has to see them (docs/security.md).
 */
export function securityHeaders({ publicUrl }: Pick<Config, 'publicUrl'>): [string, string][] {
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
  return [
    ['content-security-policy', policy],
    ['x-content-type-options', 'nosniff'],
    ['x-frame-options', 'DENY'],
    ['referrer-policy', 'no-referrer'],
    ['cross-origin-opener-policy', 'same-origin'],
    ['cross-origin-resource-policy', 'same-origin'],
    ['origin-agent-cluster', '?1'],
    ['permissions-policy', 'camera=(), display-capture=(), geolocation=(), microphone=(), midi=(), payment=(), usb=()'],
    ['x-dns-prefetch-control', 'off'],
    ...(secure ? [['strict-transport-security', 'max-age=63072000; includeSubDomains'] as [string, string]] : []),
  ];
}
