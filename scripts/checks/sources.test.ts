import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { toJSONSchema } from 'zod';
import { contract } from '../../api/contract.ts';
import { contractRoutes } from '../../api/route.ts';

// Promises of docs/asvs.md that no linter checks.

const sources = ['api', 'server', 'src']
  .flatMap((room) => readdirSync(room, { recursive: true, encoding: 'utf8' }).map((name) => `${room}/${name}`))
  .toSorted()
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\/testing\//.test(file))
  .map((file) => ({ file, code: readFileSync(file, 'utf8').replaceAll(/\/\*[^]*?\*\/|(?<=^|\s)\/\/.*$/gm, '') }));
const where = (pattern: RegExp, under = '') =>
  sources.filter(({ file, code }) => file.startsWith(under) && pattern.test(code)).map(({ file }) => file);

test('no source runs text as a program or starts a process except PostgreSQL and the signer', () => {
  expect(where(/\beval\(|new Function\b|setTimeout\(\s*['"`]/)).toEqual([]);
  expect(where(/child_process/)).toEqual([
    'server/backup/postgres-programs.ts',
    'server/platform/db/postgres-account.ts',
    'server/platform/db/postgres.ts',
    'server/signer/child.ts',
  ]);
});

test('no source renders text as HTML or listens to messages of other origins', () => {
  expect(where(/dangerouslySetInnerHTML|\.(inner|outer)HTML\b|insertAdjacentHTML|document\.write|srcdoc/i, 'src/')).toEqual([]);
  expect(where(/(window|self|parent|opener|top)\??\.postMessage|(?<!\w\.)addEventListener\(\s*'message'/, 'src/')).toEqual([]);
});

test('index.html loads nothing from other origins', () => {
  const page = readFileSync('index.html', 'utf8');
  expect(page.match(/(src|href)="(?!"|\/[^/])[^"]*/g) ?? []).toEqual([]);
  expect(page).not.toMatch(/<script(?![^>]*\ssrc=)/);
});

test('the server uses only cryptographic randomness, modern hashes and verified TLS', () => {
  expect(where(/Math\.random/, 'server/')).toEqual([]);
  expect(where(/create(Hash|Hmac)\(\s*['"](md5|sha1)/i)).toEqual([]);
  expect(where(/rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED/)).toEqual([]);
});

test('only these files build SQL from text, from constants and closed lists', () => {
  expect(where(/sql\.raw\(/, 'server/')).toEqual([
    'server/authority/lists.ts',
    'server/authority/statement-index.ts',
    'server/crsm/indexer.ts',
    'server/news/feeds.ts',
    'server/platform/db/read-rows.ts',
    'server/platform/db/search.ts',
    'server/platform/exports/source.ts',
    'server/platform/records/schedule.ts',
    'server/statistics/charts.ts',
    'server/statistics/ingest.ts',
    'server/statistics/overview.ts',
    'server/statistics/wallet-connections.ts',
  ]);
});

test('no regular expression is built from user input', () => {
  expect(where(/new RegExp\(/, 'server/')).toEqual([
    'server/platform/content/feed-date.ts',
    'server/platform/content/html-to-text.ts',
  ]);
});

test('every route has a strict input schema', () => {
  const loose: string[] = [];
  for (const { name, input } of contractRoutes(contract)) {
    if (!input) continue;
    const schema = toJSONSchema(input as never, { io: 'input', unrepresentable: 'any' });
    eachObject(schema, (one) => {
      if (one.additionalProperties !== false && !('propertyNames' in one)) loose.push(name);
    });
  }
  expect(loose).toEqual([]);
});

interface Schema {
  properties?: object;
  additionalProperties?: unknown;
}

function eachObject(value: unknown, visit: (schema: Schema) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if ('properties' in value && typeof value.properties === 'object') visit(value as Schema);
  for (const inner of Object.values(value)) eachObject(inner, visit);
}
