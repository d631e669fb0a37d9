import { expect, test } from 'vitest';
import { registry } from '../../src/commands/app/all.ts';
import { describe } from '../../src/commands/app/describe.ts';
import { parseLine, readParams, reservedNames } from './args.ts';

const describeById = async (id: string) => {
  const command = registry.get(id);
  if (!command) throw new Error(`no command ${id}`);
  return describe(command);
};
const paramsOf = async (line: string, env = {}) => {
  const parsedLine = parseLine(line.split(' '));
  return readParams(await describeById(parsedLine.id ?? ''), parsedLine.given, env);
};

test('the command line accepts every parameter of every command', () => {
  const commandsWithReservedNames = registry.all.filter(({ params }) =>
    Object.keys(params?.fields ?? {}).some((name) => reservedNames.includes(name)),
  );
  expect(commandsWithReservedNames.map(({ id }) => id)).toEqual([]);
});

test('converts typed parameters to the types of the schema', async () => {
  expect(await paramsOf('feedback.reply --content=a=b --processed false')).toEqual({ content: 'a=b', processed: false });
  expect(await paramsOf('notices.add --startsAt null --content null')).toEqual({ startsAt: null, content: 'null' });
  expect(await paramsOf('news.get --ids one --ids two')).toEqual({ ids: ['one', 'two'] });
  expect(await paramsOf('roles.add --grants ["/news","news.add"]')).toEqual({ grants: ['/news', 'news.add'] });
  // Text keeps every digit of an amount.
  expect(await paramsOf('crsm.repay --amount 123456789012345678901')).toEqual({ amount: '123456789012345678901' });
});

test('reads a secret only from the environment', async () => {
  expect(await paramsOf('session.changePassword', { PANEL_PARAM_CURRENT: 'x' })).toEqual({ current: 'x' });
  await expect(paramsOf('session.changePassword --current x')).rejects.toThrow('PANEL_PARAM_CURRENT');
});

test('parses targets with or without a version, and the confirmation', () => {
  expect(parseLine(['news.show', '--target', 'a', '--target=b@3', '--confirm'])).toMatchObject({
    id: 'news.show',
    targets: ['a', { id: 'b', version: 3 }],
    confirm: true,
  });
  expect(() => parseLine(['news.show', 'stray'])).toThrow('unexpected argument "stray"');
  expect(() => parseLine(['news.show', '--target'])).toThrow('--target needs a value');
});
