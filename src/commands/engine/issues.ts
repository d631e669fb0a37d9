import type * as z from 'zod/mini';
import type { FieldIssue } from '../../../api/errors.ts';
import { validationRules, type ValidationRule } from '../../../api/validation-rules.ts';
import type { ParamValues, ParamSpec } from './fields.ts';

export type Parsed = { values: ParamValues } | { issues: FieldIssue[] };

export const parseParams = async (params: ParamSpec, provided: ParamValues): Promise<Parsed> =>
  parseWith(await params.schema(), provided);

export function parseWith(schema: z.ZodMiniObject, params: ParamValues): Parsed {
  const result = schema.safeParse(params);
  if (result.success) return { values: result.data };
  const issues: FieldIssue[] = [];
  for (const issue of result.error.issues) {
    const { path, message } = issue;
    // An unknown name is reported under that name.
    const names = issue.code === 'unrecognized_keys' && path.length === 0 ? issue.keys : [String(path[0] ?? '')];
    const limit = limitOf(issue);
    for (const name of names)
      if (!issues.some((reported) => reported.path === name))
        issues.push({ path: name, rule: isValidationRule(message) ? message : 'invalid', ...(limit === null ? {} : { limit }) });
  }
  return { issues };
}

function limitOf(issue: z.core.$ZodIssue): number | null {
  if (issue.message !== 'tooLong' && issue.message !== 'tooShort') return null;
  if ((issue.code !== 'too_big' && issue.code !== 'too_small') || issue.origin !== 'string') return null;
  return Number(issue.code === 'too_big' ? issue.maximum : issue.minimum);
}

const isValidationRule = (message: string): message is ValidationRule => (validationRules as readonly string[]).includes(message);
