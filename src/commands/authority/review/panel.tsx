import { useEffect, useState } from 'react';
import type { StatementRow } from '../../../../api/authority/contract.ts';
import { numberText } from '../../../lib/authority/words.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { errorText } from '../../../lib/net/errors.ts';
import { $loginEmail } from '../../../lib/session/session.ts';
import { StatementContent, StatementHash, useOwnHash, type OwnHash } from './content.tsx';
import { EnrolmentFacts } from './enrolment.tsx';
import type { Block, PanelProps } from '../../ui/dialogs/panel-props.ts';

export function AuthorityPanel({ targets: [target], block }: PanelProps) {
  return target?.entity === 'statements' ? <Reviewed row={target.row} block={block} /> : null;
}

/** Null: the hash is computed here and equals the one in the log. */
function against({ hash, error }: OwnHash, id: string): Block | null {
  if (hash === undefined)
    return error ? { text: errorText(error), isWaiting: false } : { text: t('form.reviewWaits'), isWaiting: true };
  return hash === id ? null : { text: t('authority.differs'), isWaiting: false };
}

function Reviewed({ row, block }: { row: StatementRow } & Pick<PanelProps, 'block'>) {
  const { statement } = row;
  const own = useOwnHash(statement);
  // People who approve a colleague's key must hear its words from them.
  const enrolled = statement.kind === 'approver.add' ? statement.content : null;
  const isOthers = enrolled !== null && enrolled.name !== $loginEmail.get();
  const [isHeard, setHeard] = useState(false);
  const unheard = isOthers && !isHeard ? { text: t('signing.words.unheard'), isWaiting: false } : null;
  const why = against(own, row.id) ?? unheard;
  const [text, isWaiting] = [why?.text, why?.isWaiting ?? false];
  useEffect(() => block?.(text === undefined ? null : { text, isWaiting }), [text, isWaiting, block]);
  return (
    <div className="flex flex-col gap-4 py-2">
      <p className="font-medium">
        {numberText(row)} · {t(`authority.kind.${statement.kind}`)}
      </p>
      <StatementContent statement={statement} />
      {enrolled && <EnrolmentFacts content={enrolled} heard={isOthers ? { isHeard, onChange: setHeard } : undefined} />}
      <StatementHash own={own} hash={row.id} />
    </div>
  );
}
