import { createHash } from 'node:crypto';
import { desc } from 'drizzle-orm';
import type { Config } from '../platform/core/config.ts';
import type { RawRoute } from '../platform/http/raw-routes.ts';
import { mails } from '../platform/content/tables.ts';

const stylesheet =
  'body{font:14px/1.6 system-ui;max-width:44rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}article{border:1px solid #8888;border-radius:6px;padding:.5rem 1rem;margin:1rem 0}pre{white-space:pre-wrap;font:inherit}small{opacity:.75}';
const contentSecurityPolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(stylesheet).digest('base64')}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;

/** Development mailbox, newest first (`config.demo`). */
export function devMailRoutes({ demo }: Config): RawRoute[] {
  if (!demo) return [];
  return [
    {
      method: 'GET',
      path: '/dev/mail',
      meta: { public: true },
      handle: async ({ context }) => {
        const rows = await context.db.select().from(mails).orderBy(desc(mails.createdAt), desc(mails.id)).limit(50);
        return new Response(page(rows), {
          headers: {
            'content-type': 'text/html; charset=utf-8',
            'content-security-policy': contentSecurityPolicy,
            'cache-control': 'no-store',
          },
        });
      },
    },
  ];
}

const page = (rows: readonly (typeof mails.$inferSelect)[]): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Mail</title><style>${stylesheet}</style></head><body><main>
<h1>Mail</h1>
${rows.length === 0 ? '<p>No emails yet. 暂无邮件。</p>' : rows.map(formatArticle).join('\n')}
</main></body></html>`;

const formatArticle = ({ recipient, subject, body, state, createdAt }: typeof mails.$inferSelect): string =>
  `<article><h2>${escapeHtml(subject)}</h2><p><small>${escapeHtml(recipient)} · ${createdAt.toISOString()} · ${state}</small></p><pre>${escapeHtml(body)}</pre></article>`;

const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
