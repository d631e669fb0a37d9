import { createBadRequest } from './scim-error.ts';
import { parseBoolean, stripCoreSchema } from './values.ts';

export type FilterAttribute = 'id' | 'userName' | 'externalId' | 'email' | 'displayName' | 'active';

/** Conditions joined by `and`. */
export interface FilterCondition {
  attribute: FilterAttribute;
  value: string | boolean;
}

const maxLength = 500;

const userAttributes: ReadonlyMap<string, FilterAttribute> = new Map([
  ['id', 'id'],
  ['username', 'userName'],
  ['externalid', 'externalId'],
  ['emails', 'email'],
  ['emails.value', 'email'],
  ['emails[type eq "work"].value', 'email'],
  ['displayname', 'displayName'],
  ['active', 'active'],
]);
const groupAttributes: ReadonlyMap<string, FilterAttribute> = new Map([
  ['id', 'id'],
  ['externalid', 'externalId'],
  ['displayname', 'displayName'],
]);

/** An attribute, `eq` and a JSON value. Bounded parts and a short text keep the match fast. */
const conditionPattern =
  /\s*([\w:.$-]{1,120}(?:\[\s*type\s+eq\s+"work"\s*\](?:\.value)?)?)\s+eq\s+("(?:[^"\\]|\\.)*"|true|false)\s*/iy;
const conjunctionPattern = /and\s/iy;

export const parseUserFilter = (text: string) => parseFilter(text, userAttributes);
export const parseGroupFilter = (text: string) => parseFilter(text, groupAttributes);

/** Throws invalidFilter for everything but `eq` conditions joined by `and`. */
function parseFilter(text: string, attributes: ReadonlyMap<string, FilterAttribute>): FilterCondition[] {
  if (text.length > maxLength) throw createInvalidFilter();
  const conditions: FilterCondition[] = [];
  for (let position = 0; ;) {
    conditionPattern.lastIndex = position;
    const match = conditionPattern.exec(text);
    if (!match) throw createInvalidFilter();
    conditions.push(readCondition(match[1] ?? '', match[2] ?? '', attributes));
    position = conditionPattern.lastIndex;
    if (position === text.length) return conditions;
    conjunctionPattern.lastIndex = position;
    if (!conjunctionPattern.test(text)) throw createInvalidFilter();
    position = conjunctionPattern.lastIndex;
  }
}

function readCondition(name: string, literal: string, attributes: ReadonlyMap<string, FilterAttribute>): FilterCondition {
  const attribute = attributes.get(
    stripCoreSchema(name).toLowerCase().replaceAll(/\s+/g, ' ').replace('[ ', '[').replace(' ]', ']'),
  );
  if (attribute === undefined) throw createInvalidFilter();
  const value = parseLiteral(literal);
  if (attribute !== 'active') {
    if (typeof value !== 'string') throw createInvalidFilter();
    return { attribute, value };
  }
  const isActive = parseBoolean(value);
  if (isActive === null) throw createInvalidFilter();
  return { attribute, value: isActive };
}

function parseLiteral(literal: string): unknown {
  try {
    return JSON.parse(literal.startsWith('"') ? literal : literal.toLowerCase());
  } catch {
    throw createInvalidFilter();
  }
}

const createInvalidFilter = () => createBadRequest('invalidFilter', 'Use eq conditions on supported attributes, joined by and.');
