import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readPanelSchema, readStatisticsSchema, listTables, type Migration } from '../../server/platform/db/migrations.ts';
import { root } from '../setup.mjs';
import { problemsOf } from './migration-problems.ts';

const { migrations } = readPanelSchema();
/** By migration name. */
const releasedHashes = JSON.parse(readFileSync(join(root, 'server/migrations/released.json'), 'utf8')) as Record<string, string>;

test.each([readPanelSchema(), readStatisticsSchema()])('migrations of the $of database are numbered without a gap', (schema) => {
  expect(schema.migrations.map(({ number }) => number)).toEqual(schema.migrations.map((_, index) => index));
});

test('a separate statistics database has the tables of visits that the panel’s database has', () => {
  const isVisitTable = (table: string) => /^visits?(_|$)/.test(table);
  const panelTables = listTables(readPanelSchema()).filter(isVisitTable);
  const statisticsTables = listTables(readStatisticsSchema()).filter((table) => table !== 'visit_parts');
  expect(statisticsTables.toSorted()).toEqual(panelTables.toSorted());
});

test('a released migration is never edited', () => {
  for (const [name, hash] of Object.entries(releasedHashes))
    expect({ name, hash: migrations.find((migration) => migration.name === name)?.hash }).toEqual({ name, hash });
});

test('every migration after the first names the version that brings it', () => {
  const migrationsWithoutVersion = migrations.slice(1).filter(({ name }) => !/^-- version: /m.test(textOf(name)));
  expect(migrationsWithoutVersion.map(({ name }) => name)).toEqual([]);
});

test.each(migrations.slice(1).map((migration) => [migration.name, migration] as const))(
  '%s can run beside the older version',
  (_, migration) => {
    expect(problemsOf(migration)).toEqual([]);
  },
);

const textOf = (name: string) => readFileSync(join(root, 'server/migrations', `${name}.sql`), 'utf8');

describe('the migration check for one that', () => {
  const migration = (statements: string[], oldestVersion: string | null = null): Migration => ({
    number: 1,
    name: '0001_test',
    hash: '',
    version: '1.1.0',
    oldestVersion,
    statements,
  });

  test.each([
    ['drops a table', 'DROP TABLE "news";', 'drops'],
    ['drops a column', 'ALTER TABLE "news" DROP COLUMN "link";', 'drops'],
    ['renames a column', 'ALTER TABLE "news" RENAME COLUMN "link" TO "url";', 'renames'],
    ['changes a type', 'ALTER TABLE "news" ALTER COLUMN "link" SET DATA TYPE varchar(9);', 'changes the type'],
    ['requires a value', 'ALTER TABLE "news" ALTER COLUMN "link" SET NOT NULL;', 'requires a value'],
    ['adds a column without a default', 'ALTER TABLE "news" ADD COLUMN "author" text NOT NULL;', 'requires a value'],
    ['locks a table to index it', 'CREATE INDEX "news_author" ON "news" ("author");', 'locks'],
    ['checks all rows under a lock', 'ALTER TABLE "news" ADD CONSTRAINT "short" CHECK (length("link") < 9);', 'not valid'],
  ])('%s refuses it', (_, statement, problem) => {
    expect(problemsOf(migration([statement])).join()).toContain(problem);
  });

  test('drops a column allows it once no version that uses the column can start', () => {
    expect(problemsOf(migration(['ALTER TABLE "news" DROP COLUMN "link";'], '1.1.0'))).toEqual([]);
  });

  test('adds a table, an optional column or a concurrent index allows it', () => {
    const statements = [
      'CREATE TABLE "tokens" ("id" uuid PRIMARY KEY NOT NULL, "name" text NOT NULL);',
      'CREATE INDEX "tokens_name" ON "tokens" ("name");',
      'ALTER TABLE "news" ADD COLUMN "author" text;',
      `ALTER TABLE "news" ADD COLUMN "views" integer DEFAULT 0 NOT NULL;`,
      'ALTER TABLE "tokens" ADD CONSTRAINT "fk" FOREIGN KEY ("id") REFERENCES "public"."news"("id");',
    ];
    expect(problemsOf(migration(statements))).toEqual([]);
    expect(problemsOf(migration(['CREATE INDEX CONCURRENTLY IF NOT EXISTS "news_author" ON "news" ("author");']))).toEqual([]);
  });
});

test('the panel and the package for QA have the same version', () => {
  const versionIn = (file: string) => (JSON.parse(readFileSync(join(root, file), 'utf8')) as { version: string }).version;
  expect(versionIn('qa/kit/package.json')).toBe(versionIn('package.json'));
});
