import { call, implement } from '@orpc/server';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { listOutput, route } from '../../../api/base.ts';
import { withCompiledOutputs } from './compiled-outputs.ts';

const row = z.object({ id: z.string(), at: z.nullable(z.string()), tags: z.array(z.object({ name: z.string() })) });
const contract = {
  things: { list: route.meta({ public: true }).output(listOutput(row)) },
  exact: route.meta({ public: true }).output(z.strictObject({ name: z.string().check(z.maxLength(3)) })),
};
const kinds = { walked: contract, compiled: withCompiledOutputs(contract) };

const page = (rows: unknown) => ({ rows, nextCursor: null, prevCursor: 'p', count: { value: 1, kind: 'exact' } });
const good = { id: '1', at: null, tags: [{ name: 'a' }] };

const listed = (kind: keyof typeof kinds, output: unknown) =>
  call(
    implement(kinds[kind]).things.list.handler(() => output as never),
    undefined,
  );
const exact = (kind: keyof typeof kinds, output: unknown) =>
  call(
    implement(kinds[kind]).exact.handler(() => output as never),
    undefined,
  );

test.each(['walked', 'compiled'] as const)(
  'a %s output leaves with the fields the contract names, at any depth',
  async (kind) => {
    const told = { ...page([{ ...good, secret: 's', tags: [{ name: 'a', secret: 's' }] }, good]), secret: 's' };
    expect(await listed(kind, told)).toEqual(page([good, good]));
    expect(await exact(kind, { name: 'abc' })).toEqual({ name: 'abc' });
  },
);

test.each(['walked', 'compiled'] as const)('a %s output that is not what the contract says does not leave', async (kind) => {
  for (const rows of [[{ ...good, id: 1 }], [{ id: '1', at: null }], [{ ...good, tags: [{}] }], [good, null], null])
    await expect(listed(kind, page(rows))).rejects.toMatchObject({ code: 'INTERNAL_SERVER_ERROR' });
  for (const output of [{ name: 'abcd' }, { name: 'abc', secret: 's' }, null])
    await expect(exact(kind, output)).rejects.toMatchObject({ code: 'INTERNAL_SERVER_ERROR' });
});
