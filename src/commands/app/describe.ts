import * as z from 'zod/mini';
import { allNames } from '../../../api/all-names.ts';
import type { CommandId } from '../../../api/names.ts';
import type { Name } from '../../../api/naming.ts';
import type { TextKey } from '../../lib/i18n/i18n.ts';
import type { EntityName } from '../../lib/scope.ts';
import type { AnyCommand, Danger, CommandScope } from '../engine/define.ts';
import type { ParamField } from '../engine/fields.ts';

/** JSON Schema, draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface CommandSheet {
  id: CommandId;
  name: Name;
  /** A command id, a screen's path, or 'anyone' who is signed in. */
  permission: string;
  place: CommandScope;
  target: 'none' | { kind: 'one'; entity: EntityName } | { kind: 'many'; entity: EntityName; max: number };
  params: readonly ParamSheet[];
  /** Null: the command takes no parameters. */
  schema: JsonSchema | null;
  danger: Danger;
  /** True: scripts must pass `confirm: true`. */
  confirms: boolean;
}

export interface ParamSheet {
  name: string;
  /** Null: never asked for, only passed along. */
  kind: ParamField['as'] | null;
  /** False: optional, or a form starts with a value. */
  required: boolean;
  label: Name | null;
  /** Null: the values are not known beforehand. */
  choices: readonly { value: string; label: Name }[] | null;
  schema: JsonSchema;
}

export async function describe(command: AnyCommand): Promise<CommandSheet> {
  const { id, permission, place, target, danger, confirm, params } = command;
  const translateToBoth = await loadBilingualTranslator();
  const schema = params ? toJsonSchema(await params.schema()) : null;
  const properties = (schema?.['properties'] ?? {}) as Record<string, JsonSchema>;
  const requiredBySchema = new Set((schema?.['required'] ?? []) as string[]);
  const requiredNames = params?.merges ? requiredBySchema : paramsWithoutDefault(command);
  return {
    id,
    name: allNames[id],
    permission,
    place,
    target: target.kind === 'none' ? 'none' : { ...target },
    params: Object.entries(properties).map(([name, propertySchema]) => {
      const field = params?.fields[name];
      return {
        name,
        kind: field?.as ?? null,
        required: requiredBySchema.has(name) && !requiredNames.has(name),
        label: field ? translateToBoth(field.label) : null,
        choices:
          field?.as === 'choice' ? field.options.map(({ value, label }) => ({ value, label: translateToBoth(label) })) : null,
        schema: propertySchema,
      };
    }),
    schema,
    danger,
    confirms: confirm === true || danger === 'irreversible' || danger === 'money',
  };
}

/** Describes input before trimming. Rules without a JSON Schema equivalent are left out. */
function toJsonSchema(schema: z.ZodMiniObject): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    // The format name replaces a pattern ten times as long.
    override: ({ jsonSchema }) => jsonSchema.format === 'uuid' && delete jsonSchema.pattern,
  });
  return rest;
}

function paramsWithoutDefault({ params }: AnyCommand): ReadonlySet<string> {
  try {
    return new Set(Object.keys(params?.initial?.({ targets: [], now: new Date() }) ?? {}));
  } catch {
    return new Set();
  }
}

/** Loaded late, so that the build splits the words as for the page. */
const localesByLanguage = {
  zh: async () => ({
    ...(await import('../../lib/i18n/zh-CN/index.ts')).zhPanel,
    ...(await import('../../lib/i18n/zh-CN/resources.ts')).zhResources,
  }),
  en: async () => ({
    ...(await import('../../lib/i18n/en-US/index.ts')).enPanel,
    ...(await import('../../lib/i18n/en-US/resources.ts')).enResources,
  }),
};

async function loadBilingualTranslator(): Promise<(key: TextKey) => Name> {
  const [zh, en] = await Promise.all([localesByLanguage.zh(), localesByLanguage.en()]);
  return (key) => ({ zh: lookUpText(zh, key), en: lookUpText(en, key) });
}

function lookUpText(dictionary: object, key: TextKey): string {
  const text = key
    .split('.')
    .reduce<unknown>((node, segment) => (node as Record<string, unknown> | undefined)?.[segment], dictionary);
  return typeof text === 'string' ? text : key;
}
