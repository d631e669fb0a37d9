import * as z from 'zod/mini';
import { allNames } from '../../../api/all-names.ts';
import type { CommandId } from '../../../api/names.ts';
import type { Name } from '../../../api/naming.ts';
import type { TextKey } from '../../lib/i18n/i18n.ts';
import type { EntityName } from '../../lib/scope.ts';
import type { AnyCommand, Danger, Place } from '../engine/define.ts';
import type { Field } from '../engine/fields.ts';

/** JSON Schema, draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A command as a script, a manual and a shell need to know it. */
export interface CommandSheet {
  id: CommandId;
  name: Name;
  /** The right it needs, which is also what its routes ask for: a command id, a screen's path, or 'anyone' who is signed in. */
  permission: string;
  place: Place;
  target: 'none' | { kind: 'one'; entity: EntityName } | { kind: 'many'; entity: EntityName; max: number };
  params: readonly ParamSheet[];
  /** Of the whole `params` object; null where the command takes none. */
  schema: JsonSchema | null;
  danger: Danger;
  /** Whether `confirm: true` must be said. */
  confirms: boolean;
}

export interface ParamSheet {
  name: string;
  /** How a person is asked for it; null for what is never asked for, only passed along. */
  kind: Field['as'] | null;
  /** Whether a script has to give it: neither optional nor what a form would start with. */
  required: boolean;
  label: Name | null;
  /** The only values there are, where these are known beforehand. */
  choices: readonly { value: string; label: Name }[] | null;
  schema: JsonSchema;
}

/** Reads a command's schema and its words in both languages. */
export async function describe(command: AnyCommand): Promise<CommandSheet> {
  const { id, permission, place, target, danger, confirm, params } = command;
  const inBoth = await bothWords();
  const schema = params ? toJsonSchema(await params.schema()) : null;
  const properties = (schema?.['properties'] ?? {}) as Record<string, JsonSchema>;
  const demanded = new Set((schema?.['required'] ?? []) as string[]);
  const starts = params?.merges ? demanded : startsWith(command);
  return {
    id,
    name: allNames[id],
    permission,
    place,
    target: target.kind === 'none' ? 'none' : { ...target },
    params: Object.entries(properties).map(([name, own]) => {
      const field = params?.fields[name];
      return {
        name,
        kind: field?.as ?? null,
        required: demanded.has(name) && !starts.has(name),
        label: field ? inBoth(field.label) : null,
        choices: field?.as === 'choice' ? field.options.map(({ value, label }) => ({ value, label: inBoth(label) })) : null,
        schema: own,
      };
    }),
    schema,
    danger,
    confirms: confirm === true || danger === 'irreversible' || danger === 'money',
  };
}

/** As it is to be given: before trimming and other transformations. A rule that JSON Schema has no word for is left out. */
function toJsonSchema(schema: z.ZodMiniObject): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    // Its pattern says less than the word, at ten times the length.
    override: ({ jsonSchema }) => jsonSchema.format === 'uuid' && delete jsonSchema.pattern,
  });
  return rest;
}

/** Names of what a form without a record starts with. One that asks the browser (its wallets) has nothing elsewhere. */
function startsWith({ params }: AnyCommand): ReadonlySet<string> {
  try {
    return new Set(Object.keys(params?.initial?.({ targets: [], now: new Date() }) ?? {}));
  } catch {
    return new Set();
  }
}

/** Imported late, as the page itself does: else its words would lie in other files than it asks for. */
const words = {
  zh: async () => ({
    ...(await import('../../lib/i18n/zh-CN/index.ts')).zhPanel,
    ...(await import('../../lib/i18n/zh-CN/resources.ts')).zhResources,
  }),
  en: async () => ({
    ...(await import('../../lib/i18n/en-US/index.ts')).enPanel,
    ...(await import('../../lib/i18n/en-US/resources.ts')).enResources,
  }),
};

/** The text of a key in both languages. */
async function bothWords(): Promise<(key: TextKey) => Name> {
  const [zh, en] = await Promise.all([words.zh(), words.en()]);
  return (key) => ({ zh: textAt(zh, key), en: textAt(en, key) });
}

function textAt(dictionary: object, key: TextKey): string {
  const found = key.split('.').reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], dictionary);
  return typeof found === 'string' ? found : key;
}
