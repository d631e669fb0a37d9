// Hono and pg alone, as the peer of bench/pair.ts.
import { randomUUID } from 'node:crypto';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.argv[2] });
const bareApp = new Hono();

bareApp.get('/public/news', async (c) => {
  const { rows } = await pool.query({
    name: 'public',
    text: 'select id, title, description, image, time, link from news where shown order by time desc, id desc limit 20',
  });
  return c.json({ rows });
});

bareApp.post('/api/news/list', async (c) => {
  const { limit } = await c.req.json<{ limit: number }>();
  const { rows } = await pool.query({
    name: 'list',
    text: `select id, version, title, description, image, time, link, shown, created_at as "createdAt", updated_at as "updatedAt"
      from news order by time desc, id desc limit $1`,
    values: [limit],
  });
  return c.json({ rows });
});

bareApp.post('/api/news', async (c) => {
  const { title, description, image, time, link } = await c.req.json<Record<string, string>>();
  const { rows } = await pool.query({
    name: 'add',
    text: `insert into news (id, title, description, image, time, link, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $6, now(), now()) returning *`,
    values: [randomUUID(), title, description, image, time, link],
  });
  return c.json(rows[0]);
});

const server = serve({ fetch: bareApp.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
  process.send?.({ origin: `http://127.0.0.1:${port}` }),
);
process.once('disconnect', () => {
  server.close();
  void pool.end().then(() => process.exit());
});
