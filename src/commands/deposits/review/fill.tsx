import { useQuery } from '@tanstack/react-query';
import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import { useEffect, useEffectEvent, useId, useState, type ReactNode } from 'react';
import type { DepositTransaction } from '../../../../api/deposits/contract.ts';
import { parseTransactionText } from '../../../../api/deposits/transaction-text.ts';
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

const debounceMs = 150;

/** Under the transaction of a new deposit: fills in what Bitcoin and the address book know, and never what was typed. */
export function TransactionHelper({ values, start, set }: HelperProps) {
  const enteredTxid = valueText(values['txid']);
  const text = parseTransactionText(useDebouncedText(enteredTxid));
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
  const knownTransaction = data?.txid === txid ? data : undefined;
  // The link is replaced by its hash, so the output it named is kept here.
  const [chosenOutput, setChosenOutput] = useState<{ txid: string; vout: number | null } | null>(null);
  const [filledState, setFilledState] = useState<{ txid: string | null; values: FilledFields }>({ txid: null, values: {} });
  const vout = chosenOutput?.txid === txid ? (text?.vout ?? chosenOutput?.vout ?? null) : (text?.vout ?? null);
  const missingReason = knownTransaction && text ? notFilledReason(knownTransaction, text) : null;
  const output = knownTransaction && !missingReason ? matchingOutput(knownTransaction, vout) : undefined;
  const usableOutput = output?.known === null ? output : undefined;
  const isTyped = (name: (typeof filledNames)[number]) => {
    const currentText = valueText(values[name]);
    return currentText !== '' && currentText !== valueText(start[name]) && currentText !== filledState.values[name];
  };
  const outputFields = usableOutput ? toFieldValues(usableOutput) : {};
  const editedNames = filledNames.filter(
    (name) => outputFields[name] !== undefined && isTyped(name) && !isSame(values[name], outputFields[name]),
  );

  const apply = (isForced: boolean) => {
    const nextFields: FilledFields = {};
    for (const name of filledNames) {
      const value = outputFields[name];
      const isOfOtherOutput =
        name === 'userAddress' && usableOutput?.receivers.every(({ address }) => address !== filledState.values[name]);
      const isStale = filledState.values[name] !== undefined && (filledState.txid !== txid || isOfOtherOutput === true);
      if (!isForced && isTyped(name)) continue;
      if (value !== undefined) nextFields[name] = value;
      else if (!isStale && filledState.values[name] !== undefined) nextFields[name] = filledState.values[name];
      const nextText = nextFields[name] ?? (isStale ? valueText(start[name]) : undefined);
      if (nextText !== undefined && nextText !== valueText(values[name])) set(name, nextText);
    }
    setFilledState({ txid, values: nextFields });
    if (
      knownTransaction &&
      !missingReason &&
      txid !== null &&
      txid !== enteredTxid &&
      parseTransactionText(enteredTxid)?.txid === txid
    ) {
      setChosenOutput({ txid, vout });
      set('txid', txid);
    }
  };
  const applyKnown = useEffectEvent(() => apply(false));
  const usableVout = usableOutput?.vout;
  useEffect(() => applyKnown(), [txid, usableVout, knownTransaction]);

  if (txid === null)
    return enteredTxid.trim().length > 20 ? (
      <FillBox state="refused">
        <FillProblem>{t('deposits.fill.notALink')}</FillProblem>
      </FillBox>
    ) : null;
  if (!knownTransaction)
    return (
      <FillBox state={error && !isFetching ? 'failed' : 'reading'}>
        {error && !isFetching ? (
          <FillProblem retry={() => void refetch()}>{errorText(error)}</FillProblem>
        ) : (
          <p role="status">
            <Chip state="processing">{t('deposits.fill.reading')}</Chip>
          </p>
        )}
      </FillBox>
    );
  if (missingReason)
    return (
      <FillBox state="refused">
        <FillProblem retry={transientVerdicts.has(knownTransaction.verdict) && !isFetching ? () => void refetch() : undefined}>
          {t(missingReason.key, missingReason.values)}
        </FillProblem>
      </FillBox>
    );
  return (
    <FillBox state={usableOutput ? 'filled' : 'choosing'}>
      {vout !== null && !output && <FillProblem>{t('deposits.fill.otherOutput', { vout })}</FillProblem>}
      {output?.known != null && <RecordedNotice id={output.known} />}
      {(knownTransaction.ours.length > 1 || !output) && (
        <Outputs
          of={knownTransaction}
          chosen={output}
          onChoose={(nextOutput) => setChosenOutput({ txid, vout: nextOutput.vout })}
        />
      )}
      {usableOutput && (
        <>
          {editedNames.length === 0 && (
            <p role="status" className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <Chip state="done">{t('deposits.fill.filled')}</Chip>
              <span className="tabular-nums">
                {t('deposits.field.vout')} {usableOutput.vout} · {formatBtc(BigInt(usableOutput.amount))} BTC
              </span>
            </p>
          )}
          <Institutions
            of={usableOutput}
            value={valueText(values['userAddress'])}
            onChoose={(address) => {
              setFilledState({ txid, values: { ...filledState.values, userAddress: address } });
              set('userAddress', address);
            }}
          />
          {editedNames.length > 0 && (
            <div role="alert" data-differs className="flex flex-col items-start gap-1 text-danger-text">
              <p className="font-medium">{t('deposits.fill.differs')}</p>
              <ul>
                {editedNames.map((name) => (
                  <li key={name} className="wrap-anywhere">
                    {t('deposits.fill.entered', {
                      field: t(`deposits.field.${name}`),
                      mine: displayValue(name, valueText(values[name])),
                      bitcoin: displayValue(name, outputFields[name] ?? ''),
                    })}
                  </li>
                ))}
              </ul>
              <Button onClick={() => apply(true)}>{t('deposits.fill.use')}</Button>
            </div>
          )}
          {!knownTransaction.mined && <p className="text-2">{t('deposits.fill.notMined')}</p>}
        </>
      )}
      {knownTransaction.silent.length > 0 && (
        <FillProblem>{t('deposits.fill.silent', { sources: joinList([...knownTransaction.silent]) })}</FillProblem>
      )}
    </FillBox>
  );
}

/** A later answer may be another. */
const transientVerdicts: ReadonlySet<DepositTransaction['verdict']> = new Set(['missing', 'partial', 'unreachable', 'disagree']);

const isSame = (enteredValue: unknown, outputFields: string | undefined): boolean =>
  valueText(enteredValue).trim().toLowerCase() === (outputFields ?? '').toLowerCase();

function displayValue(name: (typeof filledNames)[number], value: string): string {
  const baseUnits = name === 'amount' ? toBaseUnits(value) : null;
  return baseUnits === null ? value : `${formatBtc(baseUnits)} BTC`;
}

const FillBox = ({ state, children }: { state: string; children: ReactNode }) => (
  <section
    aria-label={t('deposits.fill.title')}
    data-fill={state}
    className="flex flex-col gap-3 rounded-control border border-hairline bg-layer p-3 text-body"
  >
    {children}
  </section>
);

const FillProblem = ({ children, retry }: { children: ReactNode; retry?: (() => void) | undefined }) => (
  <p role="alert" className="flex flex-wrap items-start gap-x-2 gap-y-1">
    <CircleAlert size={14} aria-hidden="true" className="mt-0.75 shrink-0 text-danger-text" />
    <span className="min-w-0 flex-1 wrap-anywhere">{children}</span>
    {retry && <Button onClick={retry}>{t('common.retry')}</Button>}
  </p>
);

const RecordedNotice = ({ id }: { id: string }) => (
  <FillProblem>
    {t('deposits.fill.known')}{' '}
    <a
      href={`/selfCustody/deposit?open=${id}`}
      target="_blank"
      rel="noopener"
      className="rounded-chip text-accent-text underline"
    >
      {t('deposits.evidence.openKnown')}
    </a>
  </FillProblem>
);

interface OutputsProps {
  of: DepositTransaction;
  chosen: OurOutput | undefined;
  onChoose: (output: OurOutput) => void;
}

const Outputs = ({ of: { ours }, chosen, onChoose }: OutputsProps) => (
  <ChoiceGroup title={t('deposits.fill.output')}>
    {(name) =>
      ours.map((output) => (
        <ChoiceOption
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
        </ChoiceOption>
      ))
    }
  </ChoiceGroup>
);

interface InstitutionsProps {
  of: OurOutput;
  value: string;
  onChoose: (address: string) => void;
}

function Institutions({ of: { receivers }, value, onChoose }: InstitutionsProps) {
  const [firstReceiver, ...otherReceivers] = receivers;
  if (!firstReceiver) return <FillProblem>{t('deposits.fill.noInstitution')}</FillProblem>;
  if (otherReceivers.length === 0)
    return (
      <p className="flex flex-wrap gap-x-2">
        <span className="text-2">{t('deposits.fill.only')}</span> <Institution of={firstReceiver} />
      </p>
    );
  return (
    <ChoiceGroup title={t('deposits.fill.institution')}>
      {(name) =>
        receivers.map((receiver) => (
          <ChoiceOption
            key={receiver.address}
            name={name}
            checked={isSame(value, receiver.address)}
            onChoose={() => onChoose(receiver.address)}
          >
            <Institution of={receiver} />
          </ChoiceOption>
        ))
      }
    </ChoiceGroup>
  );
}

const Institution = ({ of: { address, institution } }: { of: OurOutput['receivers'][number] }) => (
  <>
    <bdi className="font-medium">{institution}</bdi> <Address value={address} whole />
  </>
);

/** Radios with a name of their own: one stop of Tab, arrows choose. */
function ChoiceGroup({ title, children }: { title: string; children: (name: string) => ReactNode }) {
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

const ChoiceOption = ({ name, checked, disabled = false, onChoose, children }: OptionProps) => (
  <label className={`flex items-start gap-2 rounded-chip pointer-coarse:min-h-11 ${disabled ? 'text-2' : ''}`}>
    <input type="radio" name={name} checked={checked} disabled={disabled} onChange={onChoose} className="mt-0.75 shrink-0" />
    <span className="min-w-0 wrap-anywhere">{children}</span>
  </label>
);

/** The text once it has stood still for a moment. */
function useDebouncedText(value: string): string {
  const [debouncedText, setDebouncedText] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebouncedText(value), debounceMs);
    return () => clearTimeout(timer);
  }, [value]);
  return debouncedText;
}
