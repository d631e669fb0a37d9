import type { ReactNode } from 'react';
import { evmExplorerTarget } from '../../../lib/explorer.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { DetailRow, Details } from '../../../lib/ui/record/details.tsx';
import { Chip } from '../../../lib/ui/value/chip.tsx';
import { OnChainLink } from '../../../lib/ui/value/explorer-link.tsx';
import { ChangesTable } from './changes-table.tsx';
import type { Party, Review, ReviewedCall, Signatures } from '../../engine/review.ts';

/** The one form of every review of money and chain calls: what, from whom to whom, before and after, who signs, until when it can be undone. */
export function MoneyReview({ review, children }: { review: Review; children?: ReactNode }) {
  const { what, parties, facts = [], changes = [], signatures, undo, calls = [], checked } = review;
  return (
    <section
      aria-label={what}
      data-review
      className="flex flex-col gap-3 rounded-control border border-hairline bg-layer p-3 text-body text-1"
    >
      <h3 data-what className="text-section font-semibold wrap-anywhere tabular-nums">
        {what}
      </h3>
      <Details>
        {parties.map((party) => (
          <DetailRow key={`${party.as} ${party.at.value}`} name={t(`form.review.${party.as}`)}>
            <PartyAddress of={party} />
          </DetailRow>
        ))}
        {facts.map(({ label, text }) => (
          <DetailRow key={label} name={label}>
            <span className="wrap-anywhere whitespace-pre-line tabular-nums">{text}</span>
          </DetailRow>
        ))}
        <DetailRow name={t('form.review.undo')}>{undo}</DetailRow>
      </Details>
      {children}
      {changes.length > 0 && <ChangesTable of={changes} />}
      {signatures && <SignerChips of={signatures} />}
      {calls.length > 0 && <Calls of={calls} />}
      {checked && (
        <p>
          <Chip state="done">{checked}</Chip>
        </p>
      )}
    </section>
  );
}

const PartyAddress = ({ of: { at, name } }: { of: Pick<Party, 'at' | 'name'> }) => (
  <span className="inline-flex min-w-0 flex-wrap items-baseline gap-x-2">
    {name !== undefined && <span className="font-medium">{name}</span>}
    <OnChainLink {...at} />
  </span>
);

function SignerChips({ of: { recorded, signed, you, missing } }: { of: Signatures }) {
  return (
    <div data-signers>
      <p className="pb-1 text-2">{t('form.review.signatures')}</p>
      <ul className="flex flex-wrap gap-x-2 gap-y-1">
        {recorded && (
          <li>
            <Chip state="done">{t('form.review.recorded', { email: recorded })}</Chip>
          </li>
        )}
        {signed.map((email) => (
          <li key={email}>
            <Chip state="done">{t('form.review.signed', { email })}</Chip>
          </li>
        ))}
        {you && (
          <li>
            <Chip state="pending">{t('form.review.you', { email: you })}</Chip>
          </li>
        )}
        {missing > 0 && (
          <li>
            <Chip state="pending">{t('form.review.missing', { count: missing })}</Chip>
          </li>
        )}
      </ul>
    </div>
  );
}

const Calls = ({ of: calls }: { of: readonly ReviewedCall[] }) => (
  <div data-calls className="flex flex-col gap-2">
    <p className="text-2">{t('form.review.calls')}</p>
    {calls.map(({ contract, address, name, args }) => (
      <div key={`${address} ${name}`} className="rounded-control border border-hairline bg-surface p-2">
        <Details>
          <DetailRow name={t('form.review.contract')}>
            <PartyAddress of={{ at: evmExplorerTarget.address(address), name: contract }} />
          </DetailRow>
          <DetailRow name={t('form.review.function')}>
            <span className="font-mono" translate="no">
              {name}
            </span>
          </DetailRow>
          {args.map((argument) => (
            <DetailRow
              key={argument.name}
              name={
                <span className="font-mono" translate="no">
                  {argument.name}
                </span>
              }
            >
              <Argument {...argument} />
            </DetailRow>
          ))}
        </Details>
      </div>
    ))}
  </div>
);

function Argument({ text, raw }: ReviewedCall['args'][number]) {
  if (/^0x[\da-f]{40}$/i.test(text)) return <PartyAddress of={{ at: evmExplorerTarget.address(text) }} />;
  return (
    <span className="tabular-nums">
      <bdi className={raw === undefined ? 'font-mono text-meta break-all' : ''} translate="no">
        {text}
      </bdi>
      {raw !== undefined && <span className="text-meta wrap-anywhere text-2"> ({raw})</span>}
    </span>
  );
}
