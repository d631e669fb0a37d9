import type { NewsRow } from '../../../../api/news/contract.ts';
import type { NewsJoinChoices } from '../../../../api/news/join.ts';
import { joinLinks } from '../../../../api/news/pair.ts';
import { languages, type Language } from '../../../../api/news/language.ts';
import { t, type TextKey } from '../../../lib/i18n/i18n.ts';
import type { FormValues } from '../../../lib/ui/form/field-view.ts';
import { DetailRow, Details } from '../../../lib/ui/record/details.tsx';
import { Chip } from '../../../lib/ui/value/chip.tsx';
import { SafeImage } from '../../../lib/ui/value/picture.tsx';
import { SafeLink } from '../../../lib/ui/value/safe-link.tsx';
import { ShownPhase } from '../../../lib/ui/value/shown-phase.tsx';
import { TimeText } from '../../../lib/ui/value/time.tsx';
import type { PanelProps } from '../../ui/dialogs/panel-props.ts';
import { initialChoices, newsPairOf, type NewsPair } from '../join.ts';
import { joinOutcomes, warningsOf, type FieldOutcome, type JoinedField } from './outcomes.ts';

/** Both items side by side, with what becomes of each value. */
export function NewsJoinPanel({ targets, values, params }: PanelProps) {
  const pair = newsPairOf(targets);
  if (!pair) return null;
  const choices = choicesOf(params ?? values ?? {}, initialChoices(pair));
  const outcomes = joinOutcomes(pair, choices);
  return (
    <div data-join className="flex flex-col gap-3 py-1">
      <Result pair={pair} choices={choices} />
      <div className="grid gap-3 md:grid-cols-2">
        {languages.map((language) => (
          <Item
            key={language}
            language={language}
            row={pair[language]}
            isKept={choices.kept === language}
            outcomes={outcomes[language]}
          />
        ))}
      </div>
    </div>
  );
}

function choicesOf(values: FormValues, initial: NewsJoinChoices): NewsJoinChoices {
  const oneOf = <Value extends string>(all: readonly Value[], name: keyof NewsJoinChoices, otherwise: Value) =>
    all.find((value) => value === values[name]) ?? otherwise;
  return {
    kept: oneOf(languages, 'kept', initial.kept),
    links: oneOf(joinLinks, 'links', initial.links),
    image: oneOf(languages, 'image', initial.image),
    period: oneOf(languages, 'period', initial.period),
  };
}

interface ItemProps {
  language: Language;
  row: NewsRow;
  isKept: boolean;
  outcomes: Record<JoinedField, FieldOutcome>;
}

const Item = ({ language, row, isKept, outcomes }: ItemProps) => (
  <section
    data-item={language}
    aria-label={t(`newsTranslations.join.item.${language}`)}
    className="flex min-w-0 flex-col gap-2 rounded-card border border-hairline p-3"
  >
    <header className="flex flex-wrap items-center gap-2">
      <h3 className="text-label font-semibold">{t(`newsTranslations.join.item.${language}`)}</h3>
      <Chip state={isKept ? 'done' : 'off'}>{t(isKept ? 'newsTranslations.join.stays' : 'newsTranslations.join.deleted')}</Chip>
    </header>
    <p lang={language} dir="auto" className="font-medium break-words">
      {row.title}
    </p>
    <p lang={language} dir="auto" className="line-clamp-4 break-words whitespace-pre-wrap text-2">
      {row.description}
    </p>
    <Details>
      <Value field="text" name="newsTranslations.join.field.text" outcome={outcomes.text}>
        {t(`newsTranslations.language.${language}`)}
      </Value>
      <Value field="image" name="news.field.picture" outcome={outcomes.image}>
        <SafeImage src={row.image} alt={row.image === null ? t('value.noPicture') : ''} className="h-16 w-28" />
      </Value>
      <Value field="link" name="news.field.link" outcome={outcomes.link}>
        <SafeLink href={row.link} whole />
      </Value>
      <Value field="period" name="schedule.group" outcome={outcomes.period}>
        {row.startsAt === null && row.endsAt === null ? (
          t('newsTranslations.join.always')
        ) : (
          <>
            {row.startsAt === null ? '…' : <TimeText iso={row.startsAt} />} –{' '}
            {row.endsAt === null ? '…' : <TimeText iso={row.endsAt} />}
          </>
        )}
      </Value>
      <Value field="time" name="news.field.time" outcome={outcomes.time}>
        <TimeText iso={row.time} />
      </Value>
      <Value field="status" name="news.field.status" outcome={outcomes.status}>
        <ShownPhase of="news" row={row} />
      </Value>
    </Details>
  </section>
);

interface ValueProps {
  field: JoinedField;
  name: TextKey;
  outcome: FieldOutcome;
  children: React.ReactNode;
}

const Value = ({ field, name, outcome, children }: ValueProps) => (
  <DetailRow name={t(name)} data-value={field} data-outcome={outcome}>
    <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
      <span className={`min-w-0 wrap-anywhere ${outcome === 'lost' ? 'line-through' : ''}`}>{children}</span>
      {outcome !== 'none' && (
        <span className={`text-meta ${outcome === 'lost' ? 'text-danger-text' : 'text-2'}`}>
          {t(`newsTranslations.join.outcome.${outcome}`)}
        </span>
      )}
    </span>
  </DetailRow>
);

const Result = ({ pair, choices }: { pair: NewsPair; choices: NewsJoinChoices }) => (
  <ul role="status" className="flex flex-col gap-1">
    <li>{t(`newsTranslations.join.result.${choices.kept}`)}</li>
    {warningsOf(pair, choices).map((warning) => (
      <li key={warning} className="text-danger-text">
        {t(`newsTranslations.join.warning.${warning}`)}
      </li>
    ))}
  </ul>
);
