import type { NewsRow } from '../../../api/news/contract.ts';
import type { NewsJoinChoices } from '../../../api/news/join.ts';
import { joinLinks, otherLanguage, pairOf } from '../../../api/news/pair.ts';
import { languages, type Language } from '../../../api/news/language.ts';
import { $codeSet } from '../../lib/session/session.ts';
import type { Target } from '../../lib/scope.ts';
import { choiceField, paramSpec } from '../engine/fields.ts';
import {
  blockedBecause,
  defineCommand,
  invocation,
  manyTargets,
  notApplicable,
  oneTarget,
  toItemVersion,
  toItemVersions,
  firstOf,
  type BlockReason,
  type CommandResult,
} from '../engine/define.ts';

type NewsTargets = readonly Target<'news'>[];
export type NewsPair = Record<Language, NewsRow>;

/** Null unless there is one item of each language without a translation. */
export function newsPairOf(targets: readonly Target[]): NewsPair | null {
  const rows = targets.flatMap((target) => (target.entity === 'news' ? [target.row] : []));
  const [one, other] = rows;
  const pair = rows.length === 2 && one && other ? pairOf(one, other) : 'translated';
  return typeof pair === 'string' ? null : pair;
}

/** The shown item stays, or else the Chinese one. The image and the period are its own, unless only the other has one. */
export function initialChoices(pair: NewsPair): NewsJoinChoices {
  const kept = pair['en-US'].shown && !pair['zh-CN'].shown ? 'en-US' : 'zh-CN';
  const from = (has: (row: NewsRow) => boolean) =>
    has(pair[kept]) || !has(pair[otherLanguage(kept)]) ? kept : otherLanguage(kept);
  return {
    kept,
    links: 'both',
    image: from(({ image }) => image !== null),
    period: from(({ startsAt, endsAt }) => startsAt !== null || endsAt !== null),
  };
}

function whyNotJoined(targets: NewsTargets): true | BlockReason {
  if (!$codeSet.get().has('news.delete')) return blockedBecause('news.blocked.mayNotDelete');
  const [one, other] = targets;
  if (targets.length !== 2 || !one || !other) return blockedBecause('news.blocked.selectTwo');
  const pair = pairOf(one.row, other.row);
  return typeof pair === 'string' ? blockedBecause(`news.blocked.${pair}`) : true;
}

/** The choice is left only if one of the items has an image. */
function hasImage(targets: readonly Target[], language: string): boolean {
  const rows = Object.entries(newsPairOf(targets) ?? {});
  return rows.every(([, { image }]) => image === null) || rows.some(([of, { image }]) => of === language && image !== null);
}

const screenPath = '/news';
const itemOptions = languages.map((value) => ({ value, label: `newsTranslations.join.item.${value}` as const }));

export const joinCommands = [
  defineCommand({
    id: 'news.join',
    permission: 'news.edit',
    icon: 'merge',
    place: screenPath,
    target: manyTargets('news', { max: 2, together: true }),
    params: paramSpec(
      () => import('../../../api/news/join.ts').then(({ newsJoinChoices }) => newsJoinChoices),
      {
        kept: { ...choiceField('newsTranslations.join.field.kept', itemOptions), hint: 'newsTranslations.join.hint.kept' },
        links: choiceField(
          'newsTranslations.join.field.links',
          joinLinks.map((value) => ({ value, label: `newsTranslations.join.links.${value}` as const })),
        ),
        image: {
          ...choiceField('newsTranslations.join.field.image', itemOptions),
          fits: (value, _values, targets) => hasImage(targets, value),
        },
        period: choiceField('newsTranslations.join.field.period', itemOptions),
      },
      ({ targets }) => {
        const pair = newsPairOf(targets);
        return pair ? { ...initialChoices(pair) } : {};
      },
    ),
    when: ({ targets }) => whyNotJoined(targets),
    danger: 'reversible',
    confirm: true,
    oneStep: true,
    panel: 'newsJoin',
    refreshesTargets: true,
    keys: ['m'],
    run: ({ api, targets, params }) => api.news.join({ ...params, items: toItemVersions(targets) }),
    done: (row, { targets }): CommandResult => ({
      stale: ['news'],
      about: targets.flatMap(({ id, name }) => (id === row.id ? [name] : [])),
      undo: invocation('news.undoJoin', { targets: [toItemVersion(row)] }),
    }),
  }),
  defineCommand({
    id: 'news.undoJoin',
    permission: 'news.edit',
    icon: 'undo-2',
    place: screenPath,
    target: oneTarget('news'),
    params: null,
    when: ({ targets: [target] }) => {
      if (target?.row.translatedTitle === null) return notApplicable('news.blocked.notJoined');
      return $codeSet.get().has('news.restore') || blockedBecause('news.blocked.mayNotRestore');
    },
    danger: 'reversible',
    confirm: true,
    run: ({ api, targets }) => api.news.undoJoin(toItemVersion(firstOf(targets))),
    done: ({ row, restored, choices }): CommandResult => ({
      stale: ['news'],
      undo: invocation('news.join', { targets: toItemVersions([row, restored]), params: choices }),
    }),
  }),
] as const;
