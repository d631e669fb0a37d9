import { expect, test } from 'vitest';
import { registry } from './all.ts';
import { describe } from './describe.ts';
import { newsFields } from '../../../api/news/contract.ts';

const describeById = async (id: string) => {
  const command = registry.get(id);
  if (!command) throw new Error(`no command ${id}`);
  return describe(command);
};
const paramOf = async (id: string, name: string) => (await describeById(id)).params.find((param) => param.name === name);

test('describes required parameters, form defaults and values of the record', async () => {
  const requiredParamsOf = async (id: string) =>
    (await describeById(id)).params.flatMap(({ name, required: isRequired }) => (isRequired ? [name] : []));
  const optionalFields = Object.entries(newsFields.shape).flatMap(([name, { def }]) => (def.type === 'optional' ? [name] : []));
  const requiredFields = Object.keys(newsFields.shape).filter((name) => name !== 'time' && !optionalFields.includes(name)); // the time is now
  expect(optionalFields).toContain('translatedTitle');
  expect(await requiredParamsOf('news.add')).toEqual(requiredFields);
  expect(await requiredParamsOf('news.edit')).toEqual([]);
  expect(await requiredParamsOf('dataPanel.resolve')).toEqual(['reason']); // which freeze is optional
});

test('describes a parameter by kind, label, choices and JSON Schema', async () => {
  expect(await paramOf('notices.add', 'platform')).toMatchObject({
    kind: 'choice',
    label: { zh: expect.stringMatching(/\p{Script=Han}/u), en: expect.stringMatching(/^[\w ]+$/) },
    choices: [{ value: 'all' }, { value: 'desktop' }, { value: 'mobile' }],
    schema: { type: 'string', enum: ['all', 'desktop', 'mobile'] },
  });
  expect(await paramOf('points.import', 'file')).toMatchObject({ kind: 'file' });
  expect((await paramOf('dataPanel.resolve', 'freeze'))?.kind).toBeNull();
});

test('describes target, danger and confirmation', async () => {
  expect(await describeById('news.delete')).toMatchObject({
    permission: 'news.delete',
    target: { kind: 'many', entity: 'news', max: 200 },
    schema: null,
    danger: 'reversible',
    confirms: true,
  });
  expect(await describeById('go.news')).toMatchObject({ permission: '/news', target: 'none', confirms: false });
});

test('describes every command with its schema and words in both languages, without bare keys', async () => {
  for (const command of registry.all) {
    const { id, params, schema, name } = await describe(command);
    expect(name.zh && name.en, id).toBeTruthy();
    expect(schema !== null, id).toBe(command.params !== null);
    expect(params.map((param) => param.name)).toEqual(expect.arrayContaining(Object.keys(command.params?.fields ?? {})));
    for (const { label, choices } of params)
      for (const localizedLabel of [label, ...(choices ?? []).map((choice) => choice.label)])
        for (const text of Object.values(localizedLabel ?? {})) expect(text, id).not.toMatch(/^[a-z]\w*(\.\w+)+$/);
  }
});
