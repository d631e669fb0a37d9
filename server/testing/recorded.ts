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

const languages = [
  ['zh-CN', { ...zhPanel, ...zhResources }],
  ['en-US', { ...enPanel, ...enResources }],
] as const;

const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;
const isOurs = (text: string): boolean => uuid.exec(text)?.[0] === text;
const instant = /\d{4}-\d\d-\d\dT\d\d:\d\d/;
/** Must not appear outside technical details: JSON, ids, UTC strings, base units. */
const raw = [/[{[]"/, /\[object /, uuid, instant, /(?<![\w.,#])-?\d{9,}(?!\w)/];
/** Values that may look like anything. */
const free: ReadonlySet<DisplayKind['as']> = new Set([
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
export function faultsOf(entry: RecordedEntry): string[] {
  const at = `${entry.entity} (${entry.command ?? entry.route}, ${entry.action})`;
  const fields = entry.result === 'refused' ? refusedFields : recorded.get(entry.entity);
  if (!fields) return [`${at}: no feature has it in its recorded.ts`];
  const states = [entry.before, entry.after].map((text) => (text === null ? null : (JSON.parse(text) as unknown)));
  return languages.flatMap(([language, words]) => {
    setDictionary(language, words);
    const faults = [...titleFaults(entry), ...states.flatMap((state) => recordFaults(fields, state, ''))];
    const [before, after] = states;
    const page =
      entry.result === 'refused'
        ? createElement(FieldList, { fields, record: { ...(after as object) } })
        : createElement(RecordDiff, { fields, before, after });
    renderToStaticMarkup(page);
    return faults.map((fault) => `${at}, ${language}: ${fault}`);
  });
}

function titleFaults(entry: RecordedEntry): string[] {
  const { entity, route } = entry;
  const title = actionText(entry);
  const reported = [title, actorText({ actorEmail: '', route, entity }), kindName(entity)];
  const [other, otherOf] = [t('record.route.other'), t('record.route.otherOf')];
  const faults = reported.filter((text) => /\w+\.\w+|\/:|^GET |^POST /.test(text) || raw.some((pattern) => pattern.test(text)));
  if (title.endsWith(other) || title.startsWith(otherOf)) faults.push(`“${title}” does not say what was done`);
  if (kindName(entity) === otherOf) faults.push(`${entity} has no word`);
  return faults;
}

function recordFaults(fields: RecordFields, state: unknown, path: string): string[] {
  if (typeof state !== 'object' || state === null) return [];
  return Object.entries(state).flatMap(([name, value]: [string, unknown]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const place = `${path}${name}`;
    if (!field) return [`the field ${place} is in no recorded.ts`];
    return isDisplayed(field) ? valueFaults(field, value, place) : [];
  });
}

const isTyped = (kind: string | undefined): boolean => kind === 'search' || kind === 'value' || kind === 'number';

function valueFaults(shown: DisplayKind, value: unknown, place: string): string[] {
  if (value === null || value === undefined) return [];
  if (shown.as === 'record') return recordFaults(shown.fields, value, `${place}.`);
  if (shown.as === 'list')
    return (Array.isArray(value) ? value : [value]).flatMap((one: unknown) => valueFaults(shown.of, one, place));
  if (shown.as === 'arguments') {
    const provided = value as { name: string; value: unknown }[];
    const byName = Object.fromEntries(provided.map((one) => [one.name, one.value]));
    return recordFaults(shown.fields, byName, `${place}.`);
  }
  if (shown.as === 'filter') {
    const unknown = Object.keys(value).filter((name) => !Object.hasOwn(shown.filters, name));
    if (unknown.length > 0) return [`the filter ${unknown.join(', ')} of ${place} has no name`];
    const conditions = Object.entries(value).filter(([name]) => !isTyped(shown.filters[name]?.field.kind));
    const reported = recordedConditions(shown.filters, Object.fromEntries(conditions)).join(' ');
    return raw.some((pattern) => pattern.test(reported)) ? [`${place} is raw: ${reported}`] : [];
  }
  const text = renderToStaticMarkup(createElement(RecordedValue, { shown, value })).replaceAll(/<[^>]*>/g, '');
  if (text === t('record.unreadable')) return [`${place} is not shown as ${shown.as}: ${JSON.stringify(value)}`];
  const isRaw = free.has(shown.as) ? isOurs(text) : raw.some((pattern) => pattern.test(text));
  return isRaw ? [`${place} is raw: ${text}`] : [];
}

const newest = `
  select entity, action, route, command, result, before, after from (
    select *, row_number() over (partition by entity, action, route, command, result order by seq desc) as nth
    from audit where request_id <> 'r'
  ) entries where nth <= 3`;

/** By the server or an existing route. */
function isReal({ route }: RecordedEntry): boolean {
  const [resource = '', name = ''] = route.split('.');
  const routes: Readonly<Record<string, object>> = contract;
  return route === systemRoute || route.includes(' ') || Object.hasOwn(routes[resource] ?? {}, name);
}

export async function auditFaults({ pool }: Pick<Database, 'pool'>): Promise<string[]> {
  // A broken test database has nothing to check.
  const { rows } = await pool.query<RecordedEntry>(newest).catch(() => ({ rows: [] }));
  return [...new Set(rows.filter(isReal).flatMap(faultsOf))];
}
