import { useQuery } from '@tanstack/react-query';
import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import { useEffect, useEffectEvent, useId, useState, type ReactNode } from 'react';
import type { DepositTransaction } from '../../../../api/deposits/contract.ts';
import { transactionOf } from '../../../../api/deposits/transaction-text.ts';
import { formatBtc, toBaseUnits } from '../../../../api/money.ts';
import { valueText } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { joinList } from '../../../lib/i18n/punctuation.ts';
import { api } from '../../../lib/net/client.ts';
import { errorText } from '../../../lib/net/errors.ts';
import { queryClient } from '../../../lib/net/query.ts';
import { Button } from '../../../lib/ui/button.tsx';
import { Chip } from '../../../lib/ui/value/chip.tsx';
import { Address } from '../../../lib/ui/value/address.tsx';
import { NamedAddress } from '../../../lib/ui/value/named-address.tsx';
import type { HelperProps } from '../../ui/dialogs/helper.tsx';
import { toFieldValues, filledNames, matchingOutput, notFilledReason, type FilledFields, type OurOutput } from '../filling.ts';

const pauseMs = 150;

/** Under the transaction of a new deposit: fills in what Bitcoin and the address book know, and never what was typed. */
export function TransactionHelper({ values, start, set }: HelperProps) {
  const typed = valueText(values['txid']);
  const text = transactionOf(useSettled(typed));
  const txid = text?.txid ?? null;
  const { data, error, isFetching, refetch } = useQuery(
    {
      queryKey: ['depositTransaction', txid],
      queryFn: ({ signal }) => api.deposits.transaction({ txid: txid ?? '' }, { signal }),
      enabled: txid !== null,
      staleTime: 10_000,
    },
    queryClient,
  );
  const known = data?.txid === txid ? data : undefined;
  // The link is replaced by its hash, so the output it named is kept here.
  const [said, setSaid] = useState<{ txid: string; vout: number | null } | null>(null);
  const [filled, setFilled] = useState<{ txid: string | null; values: FilledFields }>({ txid: null, values: {} });
  const vout = said?.txid === txid ? (text?.vout ?? said?.vout ?? null) : (text?.vout ?? null);
  const why = known && text ? notFilledReason(known, text) : null;
  const output = known && !why ? matchingOutput(known, vout) : undefined;
  const usable = output?.known === null ? output : undefined;
  const isTyped = (name: (typeof filledNames)[number]) => {
    const current = valueText(values[name]);
    return current !== '' && current !== valueText(start[name]) && current !== filled.values[name];
  };
  const requested = usable ? toFieldValues(usable) : {};
  const others = filledNames.filter(
    (name) => requested[name] !== undefined && isTyped(name) && !isSame(values[name], requested[name]),
  );

  const apply = (isForced: boolean) => {
    const next: FilledFields = {};
    for (const name of filledNames) {
      const value = requested[name];
      const isOfOther = name === 'userAddress' && usable?.receivers.every(({ address }) => address !== filled.values[name]);
      const isStale = filled.values[name] !== undefined && (filled.txid !== txid || isOfOther === true);
      if (!isForced && isTyped(name)) continue;
      if (value !== undefined) next[name] = value;
      else if (!isStale && filled.values[name] !== undefined) next[name] = filled.values[name];
      const to = next[name] ?? (isStale ? valueText(start[name]) : undefined);
      if (to !== undefined && to !== valueText(values[name])) set(name, to);
    }
    setFilled({ txid, values: next });
    if (known && !why && txid !== null && txid !== typed && transactionOf(typed)?.txid === txid) {
      setSaid({ txid, vout });
      set('txid', txid);
    }
  };
  const applyKnown = useEffectEvent(() => apply(false));
  const fitting = usable?.vout;
  useEffect(() => applyKnown(), [txid, fitting, known]);

  if (txid === null)
    return typed.trim().length > 20 ? (
      <Box state="refused">
        <Problem>{t('deposits.fill.notALink')}</Problem>
      </Box>
    ) : null;
  if (!known)
    return (
      <Box state={error && !isFetching ? 'failed' : 'reading'}>
        {error && !isFetching ? (
          <Problem retry={() => void refetch()}>{errorText(error)}</Problem>
        ) : (
          <p role="status">
            <Chip state="processing">{t('deposits.fill.reading')}</Chip>
          </p>
        )}
      </Box>
    );
  if (why)
    return (
      <Box state="refused">
        <Problem retry={transientVerdicts.has(known.verdict) && !isFetching ? () => void refetch() : undefined}>
          {t(why.key, why.values)}
        </Problem>
      </Box>
    );
  return (
    <Box state={usable ? 'filled' : 'choosing'}>
      {vout !== null && !output && <Problem>{t('deposits.fill.otherOutput', { vout })}</Problem>}
      {output?.known != null && <Recorded id={output.known} />}
      {(known.ours.length > 1 || !output) && (
        <Outputs of={known} chosen={output} onChoose={(chosen) => setSaid({ txid, vout: chosen.vout })} />
      )}
      {usable && (
        <>
          {others.length === 0 && (
            <p role="status" className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <Chip state="done">{t('deposits.fill.filled')}</Chip>
              <span className="tabular-nums">
                {t('deposits.field.vout')} {usable.vout} · {formatBtc(BigInt(usable.amount))} BTC
              </span>
            </p>
          )}
          <Institutions
            of={usable}
            value={valueText(values['userAddress'])}
            onChoose={(address) => {
              setFilled({ txid, values: { ...filled.values, userAddress: address } });
              set('userAddress', address);
            }}
          />
          {others.length > 0 && (
            <div role="alert" data-differs className="flex flex-col items-start gap-1 text-danger-text">
              <p className="font-medium">{t('deposits.fill.differs')}</p>
              <ul>
                {others.map((name) => (
                  <li key={name} className="wrap-anywhere">
                    {t('deposits.fill.entered', {
                      field: t(`deposits.field.${name}`),
                      mine: displayValue(name, valueText(values[name])),
                      bitcoin: displayValue(name, requested[name] ?? ''),
                    })}
                  </li>
                ))}
              </ul>
              <Button onClick={() => apply(true)}>{t('deposits.fill.use')}</Button>
            </div>
          )}
          {!known.mined && <p className="text-2">{t('deposits.fill.notMined')}</p>}
        </>
      )}
      {known.silent.length > 0 && <Problem>{t('deposits.fill.silent', { sources: joinList([...known.silent]) })}</Problem>}
    </Box>
  );
}

/** A later answer may be another. */
const transientVerdicts: ReadonlySet<DepositTransaction['verdict']> = new Set(['missing', 'partial', 'unreachable', 'disagree']);

const isSame = (typed: unknown, requested: string | undefined): boolean =>
  valueText(typed).trim().toLowerCase() === (requested ?? '').toLowerCase();

function displayValue(name: (typeof filledNames)[number], value: string): string {
  const base = name === 'amount' ? toBaseUnits(value) : null;
  return base === null ? value : `${formatBtc(base)} BTC`;
}

const Box = ({ state, children }: { state: string; children: ReactNode }) => (
  <section
    aria-label={t('deposits.fill.title')}
    data-fill={state}
    className="flex flex-col gap-3 rounded-control border border-hairline bg-layer p-3 text-body"
  >
    {children}
  </section>
);

const Problem = ({ children, retry }: { children: ReactNode; retry?: (() => void) | undefined }) => (
  <p role="alert" className="flex flex-wrap items-start gap-x-2 gap-y-1">
    <CircleAlert size={14} aria-hidden="true" className="mt-0.75 shrink-0 text-danger-text" />
    <span className="min-w-0 flex-1 wrap-anywhere">{children}</span>
    {retry && <Button onClick={retry}>{t('common.retry')}</Button>}
  </p>
);

const Recorded = ({ id }: { id: string }) => (
  <Problem>
    {t('deposits.fill.known')}{' '}
    <a
      href={`/selfCustody/deposit?open=${id}`}
      target="_blank"
      rel="noopener"
      className="rounded-chip text-accent-text underline"
    >
      {t('deposits.evidence.openKnown')}
    </a>
  </Problem>
);

interface OutputsProps {
  of: DepositTransaction;
  chosen: OurOutput | undefined;
  onChoose: (output: OurOutput) => void;
}

const Outputs = ({ of: { ours }, chosen, onChoose }: OutputsProps) => (
  <Choice title={t('deposits.fill.output')}>
    {(name) =>
      ours.map((output) => (
        <Option
          key={output.vout}
          name={name}
          checked={output === chosen}
          disabled={output.known !== null}
          onChoose={() => onChoose(output)}
        >
          <span className="font-medium tabular-nums">
            {output.vout} · {formatBtc(BigInt(output.amount))} BTC
          </span>{' '}
          <NamedAddress value={output.address} whole />
          {output.known !== null && <span className="text-2"> {t('deposits.fill.recorded')}</span>}
        </Option>
      ))
    }
  </Choice>
);

interface InstitutionsProps {
  of: OurOutput;
  value: string;
  onChoose: (address: string) => void;
}

function Institutions({ of: { receivers }, value, onChoose }: InstitutionsProps) {
  const [only, ...others] = receivers;
  if (!only) return <Problem>{t('deposits.fill.noInstitution')}</Problem>;
  if (others.length === 0)
    return (
      <p className="flex flex-wrap gap-x-2">
        <span className="text-2">{t('deposits.fill.only')}</span> <Institution of={only} />
      </p>
    );
  return (
    <Choice title={t('deposits.fill.institution')}>
      {(name) =>
        receivers.map((receiver) => (
          <Option
            key={receiver.address}
            name={name}
            checked={isSame(value, receiver.address)}
            onChoose={() => onChoose(receiver.address)}
          >
            <Institution of={receiver} />
          </Option>
        ))
      }
    </Choice>
  );
}

const Institution = ({ of: { address, institution } }: { of: OurOutput['receivers'][number] }) => (
  <>
    <bdi className="font-medium">{institution}</bdi> <Address value={address} whole />
  </>
);

/** Radios with a name of their own: one stop of Tab, arrows choose. */
function Choice({ title, children }: { title: string; children: (name: string) => ReactNode }) {
  const name = useId();
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="pb-1 font-medium">{title}</legend>
      {children(name)}
    </fieldset>
  );
}

interface OptionProps {
  name: string;
  checked: boolean;
  disabled?: boolean;
  onChoose: () => void;
  children: ReactNode;
}

const Option = ({ name, checked, disabled = false, onChoose, children }: OptionProps) => (
  <label className={`flex items-start gap-2 rounded-chip pointer-coarse:min-h-11 ${disabled ? 'text-2' : ''}`}>
    <input type="radio" name={name} checked={checked} disabled={disabled} onChange={onChoose} className="mt-0.75 shrink-0" />
    <span className="min-w-0 wrap-anywhere">{children}</span>
  </label>
);

/** The text once it has stood still for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
