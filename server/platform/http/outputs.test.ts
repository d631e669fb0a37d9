import { call, implement } from '@orpc/server';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { listOutput, route } from '../../../api/base.ts';

const rowSchema = z.object({ id: z.string(), at: z.nullable(z.string()), tags: z.array(z.object({ name: z.string() })) });
const contract = {
  things: { list: route.meta({ public: true }).output(listOutput(rowSchema)) },
  exact: route.meta({ public: true }).output(z.strictObject({ name: z.string().check(z.maxLength(3)) })),
};
const listPage = (rows: unknown) => ({ rows, nextCursor: null, prevCursor: 'p', count: { value: 1, kind: 'exact' } });
const validRow = { id: '1', at: null, tags: [{ name: 'a' }] };

const callList = (output: unknown) =>
  call(
    implement(contract).things.list.handler(() => output as never),
    undefined,
  );
const callExact = (output: unknown) =>
  call(
    implement(contract).exact.handler(() => output as never),
    undefined,
  );

test('removes fields that the contract does not name, at any depth', async () => {
  const output = { ...listPage([{ ...validRow, secret: 's', tags: [{ name: 'a', secret: 's' }] }, validRow]), secret: 's' };
  expect(await callList(output)).toEqual(listPage([validRow, validRow]));
  expect(await callExact({ name: 'abc' })).toEqual({ name: 'abc' });
});

test('refuses an output that breaks the contract', async () => {
  for (const rows of [[{ ...validRow, id: 1 }], [{ id: '1', at: null }], [{ ...validRow, tags: [{}] }], [validRow, null], null])
    await expect(callList(listPage(rows))).rejects.toMatchObject({ code: 'INTERNAL_SERVER_ERROR' });
  for (const output of [{ name: 'abcd' }, { name: 'abc', secret: 's' }, null])
    await expect(callExact(output)).rejects.toMatchObject({ code: 'INTERNAL_SERVER_ERROR' });
});
