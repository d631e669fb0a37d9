import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { contract } from '../../api/contract.ts';
import { systemRoute } from '../../api/audit/system.ts';
import type { Database } from '../platform/db/db.ts';
import { refusedFields } from '../../src/commands/audit/recorded.ts';
import { recorded } from '../../src/commands/app/all-recorded.ts';
import { enPanel } from '../../src/lib/i18n/en-US/index.ts';
import { enResources } from '../../src/lib/i18n/en-US/resources.ts';
import { setDictionary, t } from '../../src/lib/i18n/i18n.ts';
import { zhPanel } from '../../src/lib/i18n/zh-CN/index.ts';
import { zhResources } from '../../src/lib/i18n/zh-CN/resources.ts';
import { actionText, actorText, kindName } from '../../src/lib/ui/record/action-text.ts';
import type { RecordFields, DisplayKind } from '../../src/lib/ui/record/fields.ts';
import { recordedConditions } from '../../src/lib/ui/record/field-text.ts';
import { RecordDiff } from '../../src/lib/ui/record/record-diff.tsx';
import { FieldList, isDisplayed, RecordedValue } from '../../src/lib/ui/record/recorded-value.tsx';

export interface RecordedEntry {
  entity: string;
  action: string;
  route: string;
  command: string | null;
  result: 'done' | 'refused';
  before: string | null;
  after: string | null;
}

const dictionaries = [
  ['zh-CN', { ...zhPanel, ...zhResources }],
  ['en-US', { ...enPanel, ...enResources }],
] as const;

const uuidPattern = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;
const isWholeUuid = (text: string): boolean => uuidPattern.exec(text)?.[0] === text;
const instantPattern = /\d{4}-\d\d-\d\dT\d\d:\d\d/;
/** Must not appear outside technical details: JSON, ids, UTC strings, base units. */
const rawTextPatterns = [/[{[]"/, /\[object /, uuidPattern, instantPattern, /(?<![\w.,#])-?\d{9,}(?!\w)/];
/** Values that may look like anything. */
const freeTextKinds: ReadonlySet<DisplayKind['as']> = new Set([
  'text',
  'link',
  'picture',
  'address',
  'hash',
  'role',
  'permission',
  'number',
]);

/** Checks both languages. Empty: every field has a text. */
export function findFaults(entry: RecordedEntry): string[] {
  const entryDescription = `${entry.entity} (${entry.command ?? entry.route}, ${entry.action})`;
  const fields = entry.result === 'refused' ? refusedFields : recorded.get(entry.entity);
  if (!fields) return [`${entryDescription}: no feature has it in its recorded.ts`];
  const states = [entry.before, entry.after].map((text) => (text === null ? null : (JSON.parse(text) as unknown)));
  return dictionaries.flatMap(([language, dictionaryWords]) => {
    setDictionary(language, dictionaryWords);
    const faults = [...findTitleFaults(entry), ...states.flatMap((state) => findRecordFaults(fields, state, ''))];
    const [before, after] = states;
    const page =
      entry.result === 'refused'
        ? createElement(FieldList, { fields, record: { ...(after as object) } })
        : createElement(RecordDiff, { fields, before, after });
    renderToStaticMarkup(page);
    return faults.map((faultText) => `${entryDescription}, ${language}: ${faultText}`);
  });
}

function findTitleFaults(entry: RecordedEntry): string[] {
  const { entity, route } = entry;
  const title = actionText(entry);
  const shownTexts = [title, actorText({ actorEmail: '', route, entity }), kindName(entity)];
  const [other, otherOf] = [t('record.route.other'), t('record.route.otherOf')];
  const faults = shownTexts.filter(
    (text) => /\w+\.\w+|\/:|^GET |^POST /.test(text) || rawTextPatterns.some((pattern) => pattern.test(text)),
  );
  if (title.endsWith(other) || title.startsWith(otherOf)) faults.push(`“${title}” does not say what was done`);
  if (kindName(entity) === otherOf) faults.push(`${entity} has no word`);
  return faults;
}

function findRecordFaults(fields: RecordFields, state: unknown, path: string): string[] {
  if (typeof state !== 'object' || state === null) return [];
  return Object.entries(state).flatMap(([name, value]: [string, unknown]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const fieldPath = `${path}${name}`;
    if (!field) return [`the field ${fieldPath} is in no recorded.ts`];
    return isDisplayed(field) ? findValueFaults(field, value, fieldPath) : [];
  });
}

const isTypedFilter = (kind: string | undefined): boolean => kind === 'search' || kind === 'value' || kind === 'number';

function findValueFaults(displayKind: DisplayKind, value: unknown, fieldPath: string): string[] {
  if (value === null || value === undefined) return [];
  if (displayKind.as === 'record') return findRecordFaults(displayKind.fields, value, `${fieldPath}.`);
  if (displayKind.as === 'list')
    return (Array.isArray(value) ? value : [value]).flatMap((listItem: unknown) =>
      findValueFaults(displayKind.of, listItem, fieldPath),
    );
  if (displayKind.as === 'arguments') {
    const namedValues = value as { name: string; value: unknown }[];
    const byName = Object.fromEntries(namedValues.map((namedValue) => [namedValue.name, namedValue.value]));
    return findRecordFaults(displayKind.fields, byName, `${fieldPath}.`);
  }
  if (displayKind.as === 'filter') {
    const unknownFilters = Object.keys(value).filter((name) => !Object.hasOwn(displayKind.filters, name));
    if (unknownFilters.length > 0) return [`the filter ${unknownFilters.join(', ')} of ${fieldPath} has no name`];
    const conditions = Object.entries(value).filter(([name]) => !isTypedFilter(displayKind.filters[name]?.field.kind));
    const conditionTexts = recordedConditions(displayKind.filters, Object.fromEntries(conditions)).join(' ');
    return rawTextPatterns.some((pattern) => pattern.test(conditionTexts)) ? [`${fieldPath} is raw: ${conditionTexts}`] : [];
  }
  const text = renderToStaticMarkup(createElement(RecordedValue, { shown: displayKind, value })).replaceAll(/<[^>]*>/g, '');
  if (text === t('record.unreadable')) return [`${fieldPath} is not shown as ${displayKind.as}: ${JSON.stringify(value)}`];
  const hasRawText = freeTextKinds.has(displayKind.as)
    ? isWholeUuid(text)
    : rawTextPatterns.some((pattern) => pattern.test(text));
  return hasRawText ? [`${fieldPath} is raw: ${text}`] : [];
}

const newestEntriesQuery = `
  select entity, action, route, command, result, before, after from (
    select *, row_number() over (partition by entity, action, route, command, result order by seq desc) as nth
    from audit where request_id <> 'r'
  ) entries where nth <= 3`;

/** By the server or an existing route. */
function isUserRoute({ route }: RecordedEntry): boolean {
  const [resource = '', name = ''] = route.split('.');
  const routes: Readonly<Record<string, object>> = contract;
  return route === systemRoute || route.includes(' ') || Object.hasOwn(routes[resource] ?? {}, name);
}

export async function findAuditFaults({ pool }: Pick<Database, 'pool'>): Promise<string[]> {
  // A broken test database has nothing to check.
  const { rows } = await pool.query<RecordedEntry>(newestEntriesQuery).catch(() => ({ rows: [] }));
  return [...new Set(rows.filter(isUserRoute).flatMap(findFaults))];
}
