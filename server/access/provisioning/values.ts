import { createBadRequest } from './scim-error.ts';

const coreSchemaPattern = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/i;

export const stripCoreSchema = (path: string): string => path.replace(coreSchemaPattern, '');

/** Entra sends booleans as "True" and "False". Null: not a boolean. */
export function parseBoolean(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return null;
  const text = value.toLowerCase();
  return text === 'true' ? true : text === 'false' ? false : null;
}

export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Own keys only. Throws invalidSyntax. */
export function readObject(value: unknown): [key: string, value: unknown][] {
  if (!isObject(value)) throw createBadRequest('invalidSyntax', 'The body must be a JSON object.');
  return Object.entries(value);
}

const maxTextLength = 254;

/** Entra also sends `[{ "value": … }]`. Null for a removed value. Throws invalidValue. */
export function readText(value: unknown, attribute: string): string | null {
  const plainValue = unwrapValue(value);
  if (plainValue === null || plainValue === undefined) return null;
  if (typeof plainValue !== 'string' || plainValue.length > maxTextLength || hasControlCharacter(plainValue))
    throw createInvalidValue(attribute);
  return plainValue.trim();
}

/** Throws invalidValue. */
export function readBoolean(value: unknown, attribute: string): boolean {
  const boolean = parseBoolean(unwrapValue(value));
  if (boolean === null) throw createInvalidValue(attribute);
  return boolean;
}

function unwrapValue(value: unknown): unknown {
  if (!Array.isArray(value) || value.length !== 1) return value;
  const [item] = value as unknown[];
  return isObject(item) ? readOwn(item, 'value') : item;
}

/** In any case, because SCIM names are case-insensitive. */
export const readOwn = (object: object, name: string): unknown =>
  Object.entries(object).find(([key]) => key.toLowerCase() === name)?.[1];

// PostgreSQL refuses NUL, and bidirectional marks make one name look like another.
const hasControlCharacter = (text: string): boolean => /[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/u.test(text);

export const createInvalidValue = (attribute: string) =>
  createBadRequest('invalidValue', `The value of ${attribute} can’t be used.`);
