import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { toJSONSchema } from 'zod';
import { contract } from '../../api/contract.ts';
import { listContractRoutes } from '../../api/route.ts';

// Promises of docs/asvs.md that no linter checks.

const sources = ['api', 'server', 'src']
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`))
  .toSorted()
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\/testing\//.test(file))
  .map((file) => ({ file, code: readFileSync(file, 'utf8').replaceAll(/\/\*[^]*?\*\/|(?<=^|\s)\/\/.*$/gm, '') }));
const filesMatching = (pattern: RegExp, folder = '') =>
  sources.filter(({ file, code }) => file.startsWith(folder) && pattern.test(code)).map(({ file }) => file);

test('no source runs text as a program or starts a process except PostgreSQL and the signer', () => {
  expect(filesMatching(/\beval\(|new Function\b|setTimeout\(\s*['"`]/)).toEqual([]);
  expect(filesMatching(/child_process/)).toEqual([
    'server/backup/postgres-programs.ts',
    'server/platform/db/postgres-account.ts',
    'server/platform/db/postgres.ts',
    'server/signer/child.ts',
  ]);
});

test('no source renders text as HTML or listens to messages of other origins', () => {
  expect(
    filesMatching(/dangerouslySetInnerHTML|\.(inner|outer)HTML\b|insertAdjacentHTML|document\.write|srcdoc/i, 'src/'),
  ).toEqual([]);
  expect(
    filesMatching(/(window|self|parent|opener|top)\??\.postMessage|(?<!\w\.)addEventListener\(\s*'message'/, 'src/'),
  ).toEqual([]);
});

test('index.html loads nothing from other origins', () => {
  const page = readFileSync('index.html', 'utf8');
  expect(page.match(/(src|href)="(?!"|\/[^/])[^"]*/g) ?? []).toEqual([]);
  expect(page).not.toMatch(/<script(?![^>]*\ssrc=)/);
});

test('the server uses only cryptographic randomness, modern hashes and verified TLS', () => {
  expect(filesMatching(/Math\.random/, 'server/')).toEqual([]);
  expect(filesMatching(/create(Hash|Hmac)\(\s*['"](md5|sha1)/i)).toEqual([]);
  expect(filesMatching(/rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED/)).toEqual([]);
});

test('only these files build SQL from text, from constants and closed lists', () => {
  expect(filesMatching(/sql\.raw\(/, 'server/')).toEqual([
    'server/authority/lists.ts',
    'server/authority/statement-index.ts',
    'server/crsm/indexer.ts',
    'server/news/feeds.ts',
    'server/platform/auth/sign-in/vouching.ts',
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

test('nothing reads a private part of a package', () => {
  const rooms = ['api', 'bench', 'chain', 'e2e', 'qa', 'scripts', 'server', 'src', 'testing'];
  const privatePart = /['"]~\w+['"]|\._(zod|def|config)\b|from '[^.'][^']*\/(dist|internals?)\/|SECRET_INTERNAL[S]/;
  const found = rooms
    .flatMap((room) => readdirSync(room, { recursive: true, encoding: 'utf8' }).map((name) => `${room}/${name}`))
    .filter(
      (file) => /\.(tsx?|mjs)$/.test(file) && !file.includes('node_modules/') && privatePart.test(readFileSync(file, 'utf8')),
    );
  expect(found).toEqual([]);
});

test('no regular expression is built from user input', () => {
  expect(filesMatching(/new RegExp\(/, 'server/')).toEqual([
    'server/platform/content/feed-date.ts',
    'server/platform/content/html-to-text.ts',
  ]);
});

test('every route has a strict input schema', () => {
  const looseSchemas: string[] = [];
  for (const { name, input } of listContractRoutes(contract)) {
    if (!input) continue;
    const schema = toJSONSchema(input as never, { io: 'input', unrepresentable: 'any' });
    eachObject(schema, (innerSchema) => {
      if (innerSchema.additionalProperties !== false && !('propertyNames' in innerSchema)) looseSchemas.push(name);
    });
  }
  expect(looseSchemas).toEqual([]);
});

interface Schema {
  properties?: object;
  additionalProperties?: unknown;
}

function eachObject(value: unknown, visit: (schema: Schema) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if ('properties' in value && typeof value.properties === 'object') visit(value as Schema);
  for (const member of Object.values(value)) eachObject(member, visit);
}
