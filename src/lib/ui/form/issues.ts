import type { FieldIssue } from '../../../../api/errors.ts';
import { tSpaced } from '../../i18n/cjk-spacing.ts';
import { t } from '../../i18n/i18n.ts';
import type { FieldView } from './field-view.ts';

const pickerKinds: ReadonlySet<FieldView['as'] | undefined> = new Set(['choice', 'pick', 'picks', 'tree', 'file']);

type FieldLabels = Readonly<Record<string, Pick<FieldView, 'label'> & { as?: FieldView['as'] }>>;

/** `items.3.id` belongs to `items`. */
export const fieldNameOf = ({ path }: FieldIssue): string => path.split('.')[0] ?? path;

/** The first issue of each field. */
export function issueTexts(issues: readonly FieldIssue[], fields: FieldLabels): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const issue of issues) {
    const name = fieldNameOf(issue);
    const field = fields[name];
    if (!field || name in texts) continue;
    const label = t(field.label);
    const isRequiredIssue = issue.rule === 'required';
    // Codes use the specification's text, and options are chosen rather than entered.
    if (isRequiredIssue && field.as === 'code') texts[name] = t('form.codeEnter');
    else {
      const key = isRequiredIssue && pickerKinds.has(field.as) ? 'form.pickOne' : (`form.rule.${issue.rule}` as const);
      texts[name] = tSpaced(key, 'label', label, issue.limit === undefined ? {} : { limit: issue.limit });
    }
  }
  return texts;
}

/** In the form's order. */
export const firstInvalid = (issues: readonly FieldIssue[], fields: FieldLabels): string | null =>
  Object.keys(fields).find((name) => issues.some((issue) => fieldNameOf(issue) === name)) ?? null;
