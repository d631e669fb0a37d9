import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { findFreePort } from '../../chain/free-port.ts';
import { serverBundle } from '../../scripts/setup.mjs';
import { readConfig } from '../platform/core/config.ts';
import { runEvery } from '../platform/services/run-every.ts';
import { createLogger } from '../platform/core/log.ts';
import { listen } from '../platform/http/listen.ts';
import { serve } from '../serve.ts';
import { demoAccounts, demoPassword } from '../seed/roles.ts';
import { createTemporaryFolder } from '../testing/cleanup.ts';
import { waitUntil } from '../testing/process.ts';
import { createTestDatabase } from '../testing/support.ts';
import { traceQueries } from './queries.ts';
import { startTracing } from './watch.ts';

/** Of opentelemetry-proto, collector/trace/v1. */
interface ExportedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: object }[];
  status: { code: number };
}
interface ExportRequest {
  resourceSpans: { scopeSpans: { spans: ExportedSpan[] }[] }[];
}

async function startCollector() {
  const texts: string[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      if (request.url === '/v1/traces') texts.push(text);
      response.end('{}');
    });
  });
  const port = await listen(server, { host: '127.0.0.1', port: 0 });
  const readSpans = (): ExportedSpan[] =>
    texts.flatMap((text) =>
      (JSON.parse(text) as ExportRequest).resourceSpans.flatMap((part) => part.scopeSpans.flatMap((scope) => scope.spans)),
    );
  return { url: `http://127.0.0.1:${port}`, spans: readSpans, texts, stop: () => server.close() };
}

test('traces a request with route, outcome and queries, but without its caller and values', async () => {
  const spanCollector = await startCollector();
  const { url } = await createTestDatabase();
  const log = createLogger({ level: 'silent' });
  const env = {
    NODE_ENV: 'test',
    PORT: '0',
    DATA_DIR: createTemporaryFolder(),
    DATABASE_URL: url,
    OTEL_EXPORTER_OTLP_ENDPOINT: spanCollector.url,
  };
  const server = await serve({ config: readConfig(env), log });
  const email = demoAccounts[0]?.email ?? '';
  const response = await fetch(`${server.origin}/api/session?secret=in-the-address`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` },
    body: JSON.stringify({ email, password: demoPassword }),
  });
  expect(response.status).toBe(200);
  await fetch(`${server.origin}/readyz`);
  await requestFirstPage(server.origin, response);
  const stopJob = runEvery({ log }, 20, 'a job that calls', async () => (await fetch(`${spanCollector.url}/with?a=path`)).text());
  await waitUntil(() => spanCollector.spans().some(({ name }) => name === 'a job that calls'));
  await stopJob();
  await server.stop();
  spanCollector.stop();

  const spans = spanCollector.spans();
  const root = spans.find(({ name }) => name === 'session.signIn');
  expect(root).toMatchObject({ kind: 2, traceId: expect.stringMatching(/^(?!a{32})[0-9a-f]{32}$/), status: { code: 0 } });
  expect(root).not.toHaveProperty('parentSpanId');
  expect(root?.attributes).toEqual(
    expect.arrayContaining([
      { key: 'outcome', value: { stringValue: 'OK' } },
      { key: 'http.response.status_code', value: { intValue: 200 } },
      { key: 'request.id', value: { stringValue: response.headers.get('x-request-id') } },
    ]),
  );
  expect(BigInt(root?.endTimeUnixNano ?? 0) > BigInt(root?.startTimeUnixNano ?? 0)).toBe(true);
  expect(spans.filter(({ name }) => name === '')).toEqual([]);
  const queries = spans.filter(({ traceId, name }) => traceId === root?.traceId && name === 'SELECT');
  expect(queries.length).toBeGreaterThan(0);
  expect(queries.every(({ parentSpanId, kind }) => parentSpanId === root?.spanId && kind === 3)).toBe(true);

  const job = spans.find(({ name }) => name === 'a job that calls');
  expect(spans.find(({ parentSpanId }) => parentSpanId === job?.spanId)).toMatchObject({
    name: `GET ${new URL(spanCollector.url).host}`,
  });
  expect(spans.some(({ name }) => /readyz|events/.test(name))).toBe(false);
  expect(spanCollector.texts.join('\n')).not.toContain("counter = 'arrivals'");
  for (const secret of [email, demoPassword, 'in-the-address', 'a=path'])
    expect(spanCollector.texts.join('\n')).not.toContain(secret);
});

/** The next heartbeat shows that the stream has polled the database. */
async function requestFirstPage(origin: string, signInResponse: Response): Promise<void> {
  const { authorization } = (await signInResponse.json()) as { authorization: string };
  const cookie = signInResponse.headers.getSetCookie().map((part) => part.split(';', 1)[0]);
  const { body } = await fetch(`${origin}/api/events`, { headers: { authorization, cookie: cookie.join('; ') } });
  const text = body?.pipeThrough(new TextDecoderStream());
  for await (const chunk of text ?? []) if (/^:/m.test(chunk)) return;
  throw new Error('the stream ended before the first look');
}

test('traces each statement of a transaction until its response', async () => {
  const endedQueries: string[] = [];
  const stopTracing = traceQueries((name) => (hasFailed) => void endedQueries.push(hasFailed ? `${name} failed` : name));
  const { db } = await createTestDatabase();
  await db.execute(sql`create table kept (id int primary key)`);
  endedQueries.length = 0;
  const insertStatement = sql`insert into kept values (${1})`;
  await db.transaction((tx) => tx.execute(insertStatement));
  await expect(db.transaction((tx) => tx.execute(insertStatement))).rejects.toMatchObject({ cause: { code: '23505' } });
  stopTracing();
  await db.execute(sql`select 1`);
  expect(endedQueries.slice(0, 6)).toEqual(['BEGIN', 'INSERT', 'COMMIT', 'BEGIN', 'INSERT failed', 'ROLLBACK']);
  expect(endedQueries).not.toContain('SELECT');
});

test('logs an unreachable collector, which does not delay shutdown', async () => {
  const lines: string[] = [];
  const log = createLogger({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const { stop } = startTracing({ endpoint: `http://127.0.0.1:${await findFreePort()}`, ratio: 1, log });
  let runCount = 0;
  const stopJob = runEvery({ log }, 20, 'a job', async () => runCount++);
  await waitUntil(() => runCount > 1);
  await stopJob();
  await stop();
  expect(lines).toEqual([expect.stringContaining('could not export traces')]);
});

test('loads no tracing or metrics code unless configured', () => {
  const sourcesByFile = new Map<string, string>();
  const loadSource = (file: string) => {
    if (sourcesByFile.has(file) || !existsSync(file)) return;
    const text = readFileSync(file, 'utf8');
    sourcesByFile.set(file, text);
    for (const [, from = ''] of text.matchAll(/^(?:import|export)\s(?:[^;]*?from\s)?"(\.[^"]+)"/gm))
      loadSource(join(dirname(file), from));
  };
  loadSource(serverBundle);
  expect(sourcesByFile.size).toBeGreaterThan(3);
  const allSources = [...sourcesByFile.values()].join('\n');
  expect(allSources).toMatch(/^import .*"pg";$/m);
  expect(allSources).not.toMatch(/opentelemetry|from "prom-client"|collectDefaultMetrics/);
});
