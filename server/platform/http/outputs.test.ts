import { call, implement } from '@orpc/server';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { listOutput, route } from '../../../api/base.ts';

const row = z.object({ id: z.string(), at: z.nullable(z.string()), tags: z.array(z.object({ name: z.string() })) });
const contract = {
  things: { list: route.meta({ public: true }).output(listOutput(row)) },
  exact: route.meta({ public: true }).output(z.strictObject({ name: z.string().check(z.maxLength(3)) })),
};
const page = (rows: unknown) => ({ rows, nextCursor: null, prevCursor: 'p', count: { value: 1, kind: 'exact' } });
const good = { id: '1', at: null, tags: [{ name: 'a' }] };

const listed = (output: unknown) =>
  call(
    implement(contract).things.list.handler(() => output as never),
    undefined,
  );
const exact = (output: unknown) =>
  call(
    implement(contract).exact.handler(() => output as never),
    undefined,
  );

test('removes fields that the contract does not name, at any depth', async () => {
  const output = { ...page([{ ...good, secret: 's', tags: [{ name: 'a', secret: 's' }] }, good]), secret: 's' };
  expect(await listed(output)).toEqual(page([good, good]));
  expect(await exact({ name: 'abc' })).toEqual({ name: 'abc' });
});

test('refuses an output that breaks the contract', async () => {
  for (const rows of [[{ ...good, id: 1 }], [{ id: '1', at: null }], [{ ...good, tags: [{}] }], [good, null], null])
    await expect(listed(page(rows))).rejects.toMatchObject({ code: 'INTERNAL_SERVER_ERROR' });
  for (const output of [{ name: 'abcd' }, { name: 'abc', secret: 's' }, null])
    await expect(exact(output)).rejects.toMatchObject({ code: 'INTERNAL_SERVER_ERROR' });
});
