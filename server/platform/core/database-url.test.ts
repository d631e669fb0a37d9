import { expect, test } from 'vitest';
import { parseDatabaseHosts, findDatabaseUrlProblem } from './database-url.ts';

const multiHostUrl = 'postgres://u:p%40@h1:5432,[::1]:6000,h3/db?sslmode=verify-full&target_session_attrs=read-write';

test('splits several hosts into a connection string each', () => {
  expect(findDatabaseUrlProblem(multiHostUrl)).toBeNull();
  expect(parseDatabaseHosts(multiHostUrl)).toEqual({
    urls: ['h1:5432', '[::1]:6000', 'h3:5432'].map((host) => `postgres://u:p%40@${host}/db?sslmode=verify-full`),
    names: ['h1:5432', '[::1]:6000', 'h3:5432'],
    readWrite: true,
  });
});

test('keeps a single host, or a socket folder, as written', () => {
  for (const [url, name] of [
    ['postgres://u:p@h1/db?sslmode=require', 'h1:5432'],
    ['postgres://u@/db?host=/var/run/postgresql', '/var/run/postgresql'],
    ['postgres://u@%2Fvar%2Frun%2Fpostgresql/db', '/var/run/postgresql'],
  ] as const) {
    expect(findDatabaseUrlProblem(url)).toBeNull();
    expect(parseDatabaseHosts(url)).toEqual({ urls: [url], names: [name], readWrite: false });
  }
  expect(parseDatabaseHosts('postgres://u@h1/db?target_session_attrs=primary')).toMatchObject({ readWrite: true });
});

test.each([
  ['mysql://h1/db', 'must be a postgres:// URL'],
  ['postgres://u:p@h1,h2/db', 'must end in ?target_session_attrs=read-write when it lists several hosts'],
  ['postgres://u:p@h1,h2/db?target_session_attrs=any', 'must end in ?target_session_attrs=read-write'],
  ['postgres://u:p@h1/db?target_session_attrs=standby', 'must end in'],
  ['postgres://u:p@h1,,h2/db?target_session_attrs=read-write', 'contains an empty host'],
  ['postgres://u:p@h1:0,h2/db?target_session_attrs=read-write', 'contains "h1:0", which isn’t a host'],
  ['postgres://u:p@h1,h2:543x/db?target_session_attrs=read-write', 'contains "h2:543x", which isn’t a host'],
  ['postgres://u:p@h1,h1:5432/db?target_session_attrs=read-write', 'lists h1:5432 twice'],
  ['postgres://u:p@/db?host=h1,h2', 'must list several hosts like postgres://'],
])('refuses %s in one line', (url, line) => {
  expect(findDatabaseUrlProblem(url)).toContain(line);
  expect(findDatabaseUrlProblem(url)).not.toContain('u:p@');
});
