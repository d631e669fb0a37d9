import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { KnownReceiver } from '../../../../api/authority/contract.ts';
import { valueText } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { joinList } from '../../../lib/i18n/punctuation.ts';
import { api } from '../../../lib/net/client.ts';
import { errorText } from '../../../lib/net/errors.ts';
import { queryClient } from '../../../lib/net/query.ts';
import { Button } from '../../../lib/ui/button.tsx';
import { Skeleton } from '../../../lib/ui/skeleton.tsx';
import { Address } from '../../../lib/ui/value/address.tsx';
import { UnreadValue } from '../../../lib/ui/value/unread.tsx';
import type { HelperProps } from '../../ui/dialogs/helper.tsx';

const maxReceivers = 6;

const labels = {
  institution: 'authority.field.institution',
  address: 'authority.field.receiver',
  custody: 'authority.field.custodyOf',
  payout: 'signing.field.payoutOf',
} as const;
type FilledFieldName = keyof typeof labels;
const names = Object.keys(labels) as FilledFieldName[];

/** Under the institution of a new receiver: fills in a listed entry to change, or an account that already has deposits. */
export function ReceiverHelper({ values, start, set }: HelperProps) {
  const { data, error, refetch } = useQuery(
    {
      queryKey: ['authority', 'knownReceivers'],
      queryFn: ({ signal }) => api.authority.knownReceivers(undefined, { signal }),
    },
    queryClient,
  );
  const group = useId();
  const [selectedReceiver, setSelectedReceiver] = useState<KnownReceiver | null>(null);
  const [filledValues, setFilledValues] = useState<Partial<Record<FilledFieldName, string>>>({});
  if (!data) return error ? <UnreadValue words={errorText(error)} retry={refetch} /> : <Skeleton lines={2} />;
  if (data.length === 0) return null;

  const isTyped = (name: FilledFieldName) => {
    const currentText = textOf(values[name]);
    return currentText !== '' && currentText !== textOf(start[name]) && currentText !== filledValues[name];
  };
  const editedNames = selectedReceiver
    ? names.filter((name) => isTyped(name) && textOf(values[name]) !== textOf(fieldsOf(selectedReceiver)[name]))
    : [];
  const fill = (receiver: KnownReceiver, isForced: boolean) => {
    const receiverFields = fieldsOf(receiver);
    const emptyNames = names.filter((name) => isForced || !isTyped(name));
    for (const name of emptyNames) set(name, receiverFields[name]);
    setFilledValues(Object.fromEntries(emptyNames.map((name) => [name, textOf(receiverFields[name])])));
    setSelectedReceiver(receiver);
  };
  const enteredInstitution = isTyped('institution') ? valueText(values['institution']).trim().toLowerCase() : '';
  const matchingReceivers = data.filter(({ institution, address }) =>
    `${institution} ${address}`.toLowerCase().includes(enteredInstitution),
  );
  const listedReceivers = (matchingReceivers.length > 0 ? matchingReceivers : data).slice(0, maxReceivers);
  return (
    <fieldset data-fill="receiver" className="flex flex-col gap-1 rounded-control border border-hairline bg-layer p-3 text-body">
      <legend className="sr-only">{t('authority.fill.title')}</legend>
      <p className="pb-1 font-medium">{t('authority.fill.title')}</p>
      {listedReceivers.map((receiver) => (
        <label key={receiver.address} className="flex items-start gap-2 pointer-coarse:min-h-11">
          <input
            type="radio"
            name={group}
            checked={receiver.address === selectedReceiver?.address}
            onChange={() => fill(receiver, false)}
            className="mt-0.75 shrink-0"
          />
          <span className="min-w-0 wrap-anywhere">
            {receiver.listed && <bdi className="font-medium">{receiver.institution}</bdi>}{' '}
            <Address value={receiver.address} whole />{' '}
            <span className="text-2">
              {receiver.listed ? t('authority.fill.listed') : t('authority.fill.unlisted', { count: receiver.deposits })}
            </span>
          </span>
        </label>
      ))}
      {matchingReceivers.length > maxReceivers && <p className="text-2">{t('authority.fill.more')}</p>}
      {selectedReceiver && editedNames.length > 0 && (
        <div role="status" className="flex flex-wrap items-center gap-2 pt-1">
          <span>{t('authority.fill.kept', { fields: joinList(editedNames.map((name) => t(labels[name]))) })}</span>
          <Button onClick={() => fill(selectedReceiver, true)}>{t('authority.fill.use')}</Button>
        </div>
      )}
    </fieldset>
  );
}

const fieldsOf = ({ institution, address, custody, payout }: KnownReceiver) => ({
  institution,
  address,
  custody,
  payout: payout.join('\n'),
});

const textOf = (value: unknown): string => (Array.isArray(value) ? value.join('\n') : valueText(value));
