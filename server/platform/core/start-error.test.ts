import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { describeConnectionProblem } from '../db/connection-problem.ts';
import { describeFileProblem } from './start-error.ts';

const folder = mkdtempSync(join(tmpdir(), 'start-error-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const catchError = (task: () => unknown): unknown => {
  try {
    task();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
};

test('names the path and the remedy for a file that is missing or a folder that can’t be created', () => {
  const missingFile = join(folder, 'none.pem');
  expect(describeFileProblem(catchError(() => readFileSync(missingFile)))?.message).toBe(
    `Can’t open ${missingFile} (ENOENT). Check the path.`,
  );
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const pathInsideFile = join(file, 'data');
  expect(describeFileProblem(catchError(() => mkdirSync(pathInsideFile, { recursive: true })))?.message).toBe(
    `Can’t create ${pathInsideFile} (ENOTDIR). Check the path.`,
  );
});

test('names a full disk', () => {
  const diskFullError = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' });
  expect(describeFileProblem(diskFullError)?.message).toBe(
    'Can’t write (ENOSPC). The disk is full. Free some space and start again.',
  );
});

test('does not confuse errors of files and of the database', async () => {
  const url = 'postgres://someone:secret@127.0.0.1:1/none';
  expect(
    describeConnectionProblem(
      catchError(() => readFileSync(join(folder, 'none.crt'))),
      url,
    ),
  ).toBeNull();
  const connectionError = await new Promise<unknown>((resolve) => connect(1, '127.0.0.1').once('error', resolve));
  expect(describeFileProblem(connectionError)).toBeNull();
  expect(describeConnectionProblem(connectionError, url)?.message).toBe(
    'Can’t connect to the database at 127.0.0.1:1 (ECONNREFUSED). Start it or change DATABASE_URL.',
  );
});

test.each([
  [{ code: '28P01' }, 'The database at h:5432 rejected the user or password. Check DATABASE_URL.'],
  [{ code: '3D000' }, 'The database "panel" doesn’t exist at h:5432. Create it or change DATABASE_URL.'],
  [
    { code: '42501' },
    'The database user in DATABASE_URL isn’t allowed to change the tables. Run migrate once, with the URL of the tables’ owner in DATABASE_URL.',
  ],
  [{ code: '57P03' }, 'The database at h:5432 accepts no connections right now (57P03). Try again in a moment.'],
  [
    { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    'Can’t verify the TLS certificate of the database at h:5432 (DEPTH_ZERO_SELF_SIGNED_CERT). Check sslmode and sslrootcert in DATABASE_URL.',
  ],
  [
    { message: 'The server does not support SSL connections' },
    'The database at h:5432 doesn’t support TLS. Turn TLS on there or change sslmode in DATABASE_URL.',
  ],
  [{ message: 'timeout expired' }, 'Can’t connect to the database at h:5432 (timeout). Start it or change DATABASE_URL.'],
])('explains %o in one line without secrets', (properties, line) => {
  const problem = describeConnectionProblem(Object.assign(new Error('x'), properties), 'postgres://u:secret@h/panel');
  expect(problem?.message).toBe(line);
});

test('returns null for an error of the panel itself', () => {
  expect(describeFileProblem(new Error('a bug'))).toBeNull();
  expect(describeConnectionProblem(new TypeError('a bug'), 'postgres://u@h/panel')).toBeNull();
});
