import { t } from '../../i18n/i18n.ts';

/** Reasons that block more than one option. They are said once, above the options. */
export function findRepeatedReasons(options: readonly { blocked?: string }[]): ReadonlySet<string> {
  const reasons = options.flatMap(({ blocked }) => blocked ?? []);
  return new Set(reasons.filter((reason, index) => reasons.indexOf(reason) !== index));
}

export function RepeatedReasons({ id, of: reasons }: { id: string; of: ReadonlySet<string> }) {
  if (reasons.size === 0) return null;
  return (
    <div id={id} data-reasons className="flex flex-col text-meta text-2">
      {[...reasons].map((reason) => (
        <p key={reason}>{t('form.blockedOptions', { reason })}</p>
      ))}
    </div>
  );
}
