import type { AnyProcedure } from '@orpc/server';
import { $ZodType, type $ZodTypes } from 'zod/v4/core';

/**
 * An output that is JSON already. oRPC's serializers copy an output value by value, to find what JSON has no word for (times,
 * bigints, files), which for a list is a seventh of the server's work; what is of a class of its own they leave as it is.
 */
class JsonOutput {
  readonly #value: unknown;
  constructor(value: unknown) {
    this.#value = value;
  }
  toJSON(): unknown {
    return this.#value;
  }
}

/** An output as it goes to the serializers, by what the procedure's schema, which it has passed, lets it be. */
export function handedOn(procedure: AnyProcedure, output: unknown): unknown {
  const { outputSchema } = procedure['~orpc'];
  return outputSchema instanceof $ZodType && isJson(outputSchema) ? new JsonOutput(output) : output;
}

/** Whether it is one that `handedOn` made. */
export const isJsonOutput = (value: unknown): boolean => value instanceof JsonOutput;

const known = new WeakMap<$ZodType, boolean>();

/** Whether all that a schema lets through is JSON as it stands: text, finite numbers, yes and no, null, and lists and objects of these. */
export function isJson(schema: $ZodType): boolean {
  const found = known.get(schema);
  if (found !== undefined) return found;
  known.set(schema, false); // one that contains itself
  const made = isJsonByDef((schema as $ZodTypes)._zod.def);
  known.set(schema, made);
  return made;
}

const words: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'null', 'template_literal']);

function isJsonByDef(def: $ZodTypes['_zod']['def']): boolean {
  const { type } = def;
  if (type === 'enum') return Object.values(def.entries).every((value) => typeof value === 'string');
  if (type === 'literal')
    return def.values.every((value) => value === null || typeof value === 'string' || typeof value === 'boolean');
  if (type === 'array') return isPresent(def.element) && isJson(def.element);
  if (type === 'object')
    return Object.values(def.shape).every(isJson) && (def.catchall === undefined || def.catchall._zod.def.type === 'never');
  if (type === 'record') return isJson(def.keyType) && isPresent(def.valueType) && isJson(def.valueType);
  if (type === 'union') return def.options.every(isJson);
  if (type === 'nullable' || type === 'optional') return isJson(def.innerType);
  return words.has(type);
}

/** Whether it lets no undefined through, which JSON has in fields alone. */
const isPresent = (schema: $ZodType): boolean => schema._zod.optout === undefined;
