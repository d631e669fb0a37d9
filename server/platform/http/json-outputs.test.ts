import { StandardOpenAPIHandler } from '@orpc/openapi/standard';
import { implement, traverseContractProcedures } from '@orpc/server';
import { StandardRPCHandler } from '@orpc/server/standard';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { route } from '../../../api/base.ts';
import { contract } from '../../../api/contract.ts';
import { withCompiledOutputs } from './compiled-outputs.ts';
import { handedOn, isJson, isJsonOutput } from './json-outputs.ts';

const row = z.object({
  id: z.uuid(),
  at: z.nullable(z.string()),
  n: z.int(),
  kind: z.enum(['a', 'b']),
  more: z.optional(z.string()),
});
const page = z.object({
  rows: z.array(row),
  next: z.nullable(z.string()),
  by: z.record(z.string(), z.union([z.boolean(), z.literal('x')])),
});

test('text, numbers, yes and no, null, and lists and objects of these are JSON as they stand', () => {
  for (const schema of [page, z.array(page), z.nullable(page), z.optional(page), z.null()]) expect(isJson(schema)).toBe(true);
});

test.each<[string, z.ZodMiniType]>([
  ['a time', z.date()],
  ['a bigint', z.bigint()],
  ['a literal bigint', z.literal(1n)],
  ['a file', z.file()],
  ['a set', z.set(z.string())],
  ['anything', z.unknown()],
  [
    'what a transform makes',
    z.pipe(
      z.string(),
      z.transform((text) => BigInt(text)),
    ),
  ],
  ['undefined in a list', z.array(z.optional(z.string()))],
  ['undefined in a record', z.record(z.string(), z.optional(z.string()))],
  ['an object with more than it says', z.looseObject({ id: z.string() })],
])('%s is not, however deep it stands', (_what, schema) => {
  expect(isJson(schema)).toBe(false);
  expect(isJson(z.object({ rows: z.array(z.object({ id: z.string(), within: z.nullable(schema) })) }))).toBe(false);
});

test('every list of the contract is handed on as it is', () => {
  const lists = new Map<string, boolean>();
  traverseContractProcedures(
    { router: withCompiledOutputs(contract), path: [] },
    ({
      contract: {
        '~orpc': { outputSchema },
      },
      path,
    }) => {
      if (path.at(-1) === 'list') lists.set(path.join('.'), isJson(outputSchema as never));
    },
  );
  expect(lists.size).toBeGreaterThan(15);
  // What these hold is of kinds that only their contracts know.
  expect([...lists].filter(([, is]) => !is).map(([name]) => name)).toEqual(['authority.list', 'crsm.list', 'withdrawals.list']);
});

test('both protocols send, letter for letter, what they sent had they copied it', async () => {
  const output = {
    rows: [
      { id: '01a2192c-cf7f-70c0-8146-d3d68060d18d', at: null, n: -0, kind: 'a', more: undefined },
      { id: '01a2192c-cf7f-70c0-8146-d3d68060d18e', at: '2026-01-02T03:04:05.678Z', n: 7, kind: 'b', more: '比特币 "\u2028' },
    ],
    next: null,
    by: { toJSON: 'x', constructor: true, '': false },
  };
  const router = { page: implement(route.meta({ public: true }).output(page)).handler(() => output as never) };
  const sentBy = async (handed: boolean) => {
    let isHanded: boolean | null = null;
    const clientInterceptors = [
      async ({ procedure, next }: { procedure: Parameters<typeof handedOn>[0]; next: () => Promise<unknown> }) => {
        const found = await next();
        const given = handed ? handedOn(procedure, found) : found;
        isHanded = isJsonOutput(given);
        return given;
      },
    ];
    const request = {
      url: new URL('http://localhost/page'),
      method: 'POST',
      headers: {},
      body: async () => undefined,
      signal: undefined,
    };
    const handlers = [
      new StandardRPCHandler(router, { clientInterceptors }),
      new StandardOpenAPIHandler(router, { clientInterceptors }),
    ];
    const sent: unknown[] = [];
    for (const handler of handlers) {
      const { response } = await handler.handle(request, { context: {} });
      sent.push([response?.status, response?.headers, JSON.stringify(response?.body)], isHanded);
    }
    return sent;
  };
  const [rpc, isHandedByRpc, api, isHandedByApi] = await sentBy(true);
  expect([isHandedByRpc, isHandedByApi]).toEqual([true, true]);
  expect([rpc, false, api, false]).toEqual(await sentBy(false));
  expect(JSON.stringify(rpc)).toContain('比特币');
});
