import type { NewsRow } from '../../../../api/news/contract.ts';
import type { NewsJoinChoices } from '../../../../api/news/join.ts';
import { otherLanguage } from '../../../../api/news/pair.ts';
import type { Language } from '../../../../api/news/language.ts';
import type { NewsPair } from '../join.ts';

/** `same`: lost without loss, because the other item has the same value. */
export type FieldOutcome = 'kept' | 'translation' | 'same' | 'lost' | 'none';
export type JoinedField = 'text' | 'image' | 'link' | 'period' | 'time' | 'status';

/** What becomes of each value of each item. */
export function joinOutcomes(pair: NewsPair, choices: NewsJoinChoices): Record<Language, Record<JoinedField, FieldOutcome>> {
  const outcomesOf = (language: Language): Record<JoinedField, FieldOutcome> => {
    const row = pair[language];
    const other = pair[otherLanguage(language)];
    const isKept = language === choices.kept;
    const outcome = (from: Language, valueOf: (row: NewsRow) => string | null): FieldOutcome => {
      if (valueOf(row) === null) return 'none';
      if (from === language) return 'kept';
      return valueOf(row) === valueOf(other) ? 'same' : 'lost';
    };
    const link = outcome(choices.kept, (one) => one.link);
    return {
      text: isKept ? 'kept' : 'translation',
      image: outcome(choices.image, ({ image }) => image),
      link: link === 'lost' && choices.links === 'both' ? 'translation' : link,
      period: outcome(choices.period, ({ startsAt, endsAt }) => (startsAt ?? endsAt) && `${startsAt} ${endsAt}`),
      time: outcome(choices.kept, ({ time }) => time),
      status: outcome(choices.kept, ({ shown }) => String(shown)),
    };
  };
  return { 'zh-CN': outcomesOf('zh-CN'), 'en-US': outcomesOf('en-US') };
}

export type JoinWarning = 'hides' | 'changesWebsite' | 'noImage';

export function warningsOf(pair: NewsPair, choices: NewsJoinChoices): JoinWarning[] {
  const kept = pair[choices.kept];
  const isOtherShown = pair[otherLanguage(choices.kept)].shown;
  const lacksImage = pair[choices.image].image === null;
  return [
    ...(kept.shown ? (['changesWebsite'] as const) : isOtherShown ? (['hides'] as const) : []),
    ...(lacksImage ? (['noImage'] as const) : []),
  ];
}
