import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PanelError, versionMismatch } from '../../qa/kit/error.ts';
import { committedContract, committedTypes } from '../commands.ts';
import { changesOf, isBreaking } from './changes.ts';
import { contractOf } from './contract.ts';
import { typesOf } from './types.ts';

const contract = committedContract();

test('docs/commands.json and the kit’s types are up to date (npm run commands)', async () => {
  const results = Object.fromEntries(Object.entries(contract.commands).map(([id, { result }]) => [id, result]));
  const lists = Object.fromEntries(Object.entries(contract.lists).map(([name, { row }]) => [name, row]));
  expect(await contractOf({ rows: contract.rows, lists, results })).toEqual(contract);
  expect(committedTypes()).toBe(typesOf(contract));
});

test('the QA package has the panel’s version', () => {
  const versionOf = (path: string) => (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
  expect(versionOf('qa/kit/package.json')).toBe(versionOf('package.json'));
  expect(contract.version).toBe(versionOf('package.json'));
});

test('reports each contract change and whether it breaks users', () => {
  const currentContract = structuredClone(contract);
  const addCommand = currentContract.commands['news.add'];
  const editCommand = currentContract.commands['news.edit'];
  if (!addCommand || !editCommand) throw new Error('there are no news');
  addCommand.params['colour'] = { required: true, type: 'string' };
  addCommand.params['time'] = { required: true, type: 'string | null' };
  delete addCommand.params['link'];
  editCommand.params['colour'] = { required: false, type: 'string' };
  currentContract.commands['news.publish'] = { ...editCommand, permission: 'news.publish' };
  const showCommand = currentContract.commands['news.show'];
  delete currentContract.commands['news.show'];
  if (showCommand) currentContract.commands['news.present'] = { ...showCommand, permission: 'news.present' };
  currentContract.rows['notices'] = (currentContract.rows['notices'] ?? '').replace('content: string;', 'text: string;');
  const changeTexts = changesOf(contract, currentContract).map(({ of, text, breaks }) => `${breaks ? '✗' : '·'} ${of} ${text}`);
  expect(changeTexts).toEqual(
    expect.arrayContaining([
      '✗ news.add lost the parameter link',
      '✗ news.add has the new required parameter colour',
      '✗ news.add time is required now',
      '· news.add time changed from string to string | null',
      '· news.edit has the new parameter colour',
      '· news.publish was added',
      expect.stringMatching(/^✗ news\.show was removed, perhaps renamed to news\.(hide|present)$/),
      '✗ notices.add a record of notices lost content: string',
      '· notices.add a record of notices gained text: string',
    ]),
  );
  expect(changesOf(contract, contract)).toEqual([]);
  expect([isBreaking('0.1.0', '0.1.1'), isBreaking('0.1.0', '0.2.0'), isBreaking('1.1.0', '1.2.0')]).toEqual([
    false,
    true,
    false,
  ]);
});

test('warns about a kit and a panel of different versions', () => {
  expect(versionMismatch('0.1.0', '0.1.0')).toBeNull();
  expect(versionMismatch('', '0.1.0')).toBeNull();
  expect(versionMismatch('0.2.0', '0.1.0')).toEqual({
    message: '@admin-panel/qa is 0.1.0, older than the panel (0.2.0). Install @admin-panel/qa@0.2.0',
    breaks: true,
  });
  expect(versionMismatch('1.2.0', '1.3.0')).toMatchObject({
    message: expect.stringContaining('newer than the panel'),
    breaks: false,
  });
});

test('PanelError keeps code, message, data and request id, and names its subject', () => {
  const currentRecord = { id: 'a', title: 'Theirs' };
  const error = new PanelError(
    'news.edit',
    {
      code: 'CONFLICT',
      message: 'Somebody changed it',
      data: { current: currentRecord },
      current: currentRecord,
      requestId: 'r1',
    },
    ' on a@3',
  );
  expect(error.message).toBe('news.edit on a@3: CONFLICT: Somebody changed it (request r1)');
  expect(error).toMatchObject({
    code: 'CONFLICT',
    current: currentRecord,
    data: { current: currentRecord },
    requestId: 'r1',
    issues: [],
  });
});
