import type { FieldIssue } from '../../../../api/errors.ts';
import { tApart } from '../../i18n/apart.ts';
import { t } from '../../i18n/i18n.ts';
import type { FieldView } from './field-view.ts';

const picked: ReadonlySet<FieldView['as'] | undefined> = new Set(['choice', 'pick', 'picks', 'tree', 'file']);

type Labels = Readonly<Record<string, Pick<FieldView, 'label'> & { as?: FieldView['as'] }>>;

/** The field an issue is about: `items.3.id` counts for `items`. */
export const fieldOf = ({ path }: FieldIssue): string => path.split('.')[0] ?? path;

/** The words for each field that is wrong: its first broken rule. */
export function issueTexts(issues: readonly FieldIssue[], fields: Labels): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const issue of issues) {
    const name = fieldOf(issue);
    const field = fields[name];
    if (!field || name in texts) continue;
    const label = t(field.label);
    const isMissing = issue.rule === 'required';
    // A code is asked for in the specification's words, and missed in the same; what is picked is not entered.
    if (isMissing && field.as === 'code') texts[name] = t('form.codeEnter');
    else {
      const key = isMissing && picked.has(field.as) ? 'form.pickOne' : (`form.rule.${issue.rule}` as const);
      texts[name] = tApart(key, 'label', label, issue.limit === undefined ? {} : { limit: issue.limit });
    }
  }
  return texts;
}

/** The first field, in the form's order, that is wrong. */
export const firstWrong = (issues: readonly FieldIssue[], fields: Labels): string | null =>
  Object.keys(fields).find((name) => issues.some((issue) => fieldOf(issue) === name)) ?? null;
