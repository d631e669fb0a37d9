import { OpenAPIGenerator } from '@orpc/openapi';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import { allNames, functions } from '../../api/all-names.ts';
import { listContractRoutes, type RouteMeta } from '../../api/route.ts';
import { contract } from '../../api/contract.ts';
import { listScreens } from '../../api/menu.ts';
import type { Name } from '../../api/naming.ts';
import type { Config } from '../platform/core/config.ts';
import type { RawRoute } from '../platform/http/raw-routes.ts';

export function openApiRoute({ publicUrl }: Config): RawRoute {
  let cachedDocument: Promise<unknown> | null = null;
  return {
    method: 'GET',
    path: '/api/openapi.json',
    meta: { menu: '/api/docs' },
    handle: async () => Response.json(await (cachedDocument ??= generateDocument(publicUrl))),
  };
}

/** The contract as OpenAPI 3.1, with names in both languages (`x-name`) and the access rule of each route (`x-access`). */
async function generateDocument(publicUrl: string) {
  const document = await new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] }).generate(contract, {
    info: { title: 'Admin Panel', version: '1' },
    servers: [{ url: `${publicUrl}/api` }],
    components: { securitySchemes: { session: { type: 'http', scheme: 'bearer' } } },
  });
  const groups = new Map<string, Name | null>();
  for (const { path, name: route, meta, http } of listContractRoutes(contract)) {
    const [groupId = ''] = path;
    groups.set(groupId, groups.get(groupId) ?? groupNames[groupId] ?? findScreenName(meta));
    const method = (http.method ?? 'POST').toLowerCase() as 'post';
    const operation = document.paths?.[http.path ?? '']?.[method];
    if (!operation) throw new Error(`the OpenAPI document has no ${method} ${http.path}`);
    const name = findName(route, meta);
    Object.assign(operation, {
      tags: [groupId],
      ...(name && { summary: name.en, 'x-name': name }),
      'x-access': meta,
      security: 'public' in meta ? [] : [{ session: [] }],
      ...('keyed' in meta && { parameters: [...(operation.parameters ?? []), idempotencyKey] }),
    });
  }
  const tags = [...groups].map(([name, groupName]) => ({
    name,
    ...(groupName && { description: groupName.en, 'x-name': groupName }),
  }));
  return { ...document, tags };
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  schema: { type: 'string', minLength: 1, maxLength: 64 },
};

const names: Readonly<Record<string, Name>> = allNames;

/** A route that only prepares another one has no name. */
function findName(id: string, meta: RouteMeta): Name | null {
  const commandName = names[id];
  if (commandName || meta.permission === undefined) return commandName ?? null;
  const isSoleCommand = id === meta.permission || id.endsWith('.remove');
  return isSoleCommand ? (names[meta.permission] ?? null) : null;
}

function findScreenName(meta: RouteMeta): Name | null {
  const path =
    'menu' in meta
      ? meta.menu
      : Object.entries(functions).find(
          ([, ids]) => 'permission' in meta && (ids as readonly string[]).includes(meta.permission),
        )?.[0];
  const screen = listScreens().find((candidate) => candidate.path === path);
  return screen ? { zh: screen.zh, en: screen.en } : null;
}

/** Of groups that belong to no screen, or to part of one. */
const groupNames: Readonly<Record<string, Name>> = {
  account: { zh: '我的账户', en: 'My account' },
  airdropsImports: { zh: '导入：NFT 空投', en: 'Imports: NFT airdrops' },
  alarms: { zh: '告警', en: 'Alarms' },
  chain: { zh: '区块链', en: 'Blockchain' },
  cli: { zh: '终端登录', en: 'Terminal sign-in' },
  drawsImports: { zh: '导入：抽奖', en: 'Imports: lottery draws' },
  exportJobs: { zh: '我的导出', en: 'My exports' },
  history: { zh: '操作历史', en: 'Command history' },
  pictures: { zh: '图片', en: 'Pictures' },
  pointsImports: { zh: '导入：积分', en: 'Imports: points' },
  session: { zh: '登录', en: 'Sign-in' },
  teamsImports: { zh: '导入：团队', en: 'Imports: teams' },
  views: { zh: '保存的视图', en: 'Saved views' },
  wallet: { zh: '钱包登录', en: 'Wallet sign-in' },
};
