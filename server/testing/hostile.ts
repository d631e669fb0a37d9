import { toJSONSchema } from 'zod';
import { contract } from '../../api/contract.ts';
import { listContractRoutes } from '../../api/route.ts';
import { hostileTexts } from './hostile-texts.ts';

interface Schema {
  type?: string;
  format?: string;
  pattern?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  maxLength?: number;
  properties?: Record<string, Schema>;
}
export type HostileFields = Record<string, Schema>;

/** These take only addresses and choices. */
const removeText = new Set(['withdrawals']);

export const hostileResources = new Map<string, HostileFields>();
for (const { path, meta, input } of listContractRoutes(contract)) {
  const [resource = '', name] = path;
  if (name !== 'add' || removeText.has(resource) || !('permission' in meta) || !input) continue;
  const schema = toJSONSchema(input as never, { io: 'input', unrepresentable: 'any' }) as Schema;
  if (schema.properties?.['file']) continue; // a file, not a field
  hostileResources.set(resource, schema.properties ?? {});
}

/** Free text. Addresses, emails and secrets are tested separately. */
const isText = ({ type, format, pattern, enum: enumValues, maxLength = 0 }: Schema) =>
  type === 'string' && !format && !pattern && !enumValues && ![254, 256, 2000].includes(maxLength);
const isAddress = ({ type, maxLength }: Schema) => type === 'string' && maxLength === 2000;

export const listAddressFields = (fields: HostileFields): string[] =>
  Object.keys(fields).filter((name) => isAddress(fields[name] ?? {}));

function buildPlainValue(schema: Schema, index: number): unknown {
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf)
    return schema.anyOf.some(({ type }) => type === 'null') ? null : buildPlainValue(schema.anyOf[0] ?? {}, index);
  if (schema.type === 'boolean') return false;
  if (schema.type === 'array') return [];
  if (schema.type === 'integer' || schema.type === 'number') return 1;
  if (schema.pattern?.includes('T')) return '2026-01-02T03:04:05.678Z';
  if (isAddress(schema)) return 'https://a.example/';
  return `plain ${index}`;
}

/** Values that must exist or be unique. */
type FixedValues = Record<string, (index: number) => unknown>;

interface ExistingIds {
  home: string;
  role: string;
}

function createFixedValues(resource: string, { home: homePath, role }: ExistingIds): FixedValues {
  const timeStamp = Date.now();
  const fixedByResource: Record<string, FixedValues> = {
    roles: { grants: () => ['/'] },
    airdrops: { address: () => '0x52908400098527886E0F7030069857D2E4169EE7', berries: () => '1' },
    deposits: {
      userAddress: () => '0x52908400098527886E0F7030069857D2E4169EE7',
      amount: () => '100000000',
      coboAddress: () => 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      txid: (index) => `${timeStamp}${index}`.padStart(64, 'f'),
    },
    administrators: {
      email: (index) => `hostile${timeStamp}x${index}@demo.local`,
      password: () => 'a long enough password',
      roles: () => [role],
    },
    permissions: {
      to: () => homePath,
      kind: (index) => (index % 2 === 0 ? 'menu' : 'function'),
      place: (index) => (index % 2 === 0 ? 'after' : 'under'),
      identifier: (index) => (index % 2 === 0 ? `/hostile-${index}` : `hostile.${index}`),
    },
  };
  return fixedByResource[resource] ?? {};
}

/** Input of `add` for each text, which fills all free text fields. */
export function buildHostileInputs(
  resource: string,
  existingIds: ExistingIds,
  inputTexts: readonly string[] = hostileTexts,
): Record<string, unknown>[] {
  const fixedValues = createFixedValues(resource, existingIds);
  return inputTexts.map((text, index) =>
    Object.fromEntries(
      Object.entries(hostileResources.get(resource) ?? {}).map(([name, schema]) => {
        if (fixedValues[name]) return [name, fixedValues[name](index)];
        return [name, isText(schema) && text.length <= (schema.maxLength ?? 0) ? text : buildPlainValue(schema, index)];
      }),
    ),
  );
}
