import type { FieldIssue } from '../../../../api/errors.ts';
import { tApart } from '../../i18n/apart.ts';
import { t } from '../../i18n/i18n.ts';
import type { FieldView } from './field-view.ts';

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
    // A code is asked for in the specification's words, and missed in the same.
    const isCode = field.as === 'code' && issue.rule === 'required';
    texts[name] = isCode ? t('form.codeEnter') : tApart(`form.rule.${issue.rule}`, 'label', t(field.label));
  }
  return texts;
}

/** The first field, in the form's order, that is wrong. */
export const firstWrong = (issues: readonly FieldIssue[], fields: Labels): string | null =>
  Object.keys(fields).find((name) => issues.some((issue) => fieldOf(issue) === name)) ?? null;
