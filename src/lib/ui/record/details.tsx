import { Fragment, type ReactNode } from 'react';
import { t, type TextKey } from '../../i18n/i18n.ts';
import { CopyButton } from '../value/copy-button.tsx';

type DataAttributes = Record<`data-${string}`, string | true | undefined>;

/** `copy` is the exact value behind what is shown. */
export interface CopyableValue {
  copy: string;
  shown: ReactNode;
}

/** A value of null, undefined or false has no line. */
export type Facts = Partial<Record<TextKey, ReactNode | CopyableValue>>;

interface DetailsProps extends DataAttributes {
  of?: Facts;
  children?: ReactNode;
}

/** Two columns, or one in a narrow panel. */
export const Details = ({ of = {}, children, ...data }: DetailsProps) => (
  <div className="@container">
    <dl {...data} className="grid grid-cols-1 gap-x-4 gap-y-2 @xs:grid-cols-[fit-content(40%)_minmax(0,1fr)]">
      {Object.entries(of).map(([name, value]) => (
        <DetailRow key={name} name={t(name as TextKey)} {...(isCopyable(value) && { copy: value.copy })}>
          {isCopyable(value) ? value.shown : value}
        </DetailRow>
      ))}
      {children}
    </dl>
  </div>
);

const isCopyable = (value: ReactNode | CopyableValue): value is CopyableValue =>
  typeof value === 'object' && value !== null && 'copy' in value;

interface DetailProps extends DataAttributes {
  name: ReactNode;
  /** The exact value, with a button that copies it. */
  copy?: string;
  children: ReactNode;
}

export function DetailRow({ name, copy, children, ...data }: DetailProps) {
  if (children === null || children === undefined || children === false) return null;
  return (
    <div {...data} className="contents">
      <dt className="min-w-0 break-words text-2">{typeof name === 'string' ? breakCamelCase(name) : name}</dt>
      {copy === undefined ? (
        <dd className="min-w-0 wrap-anywhere @max-xs:mb-1">{children}</dd>
      ) : (
        <dd className="flex min-w-0 items-start gap-1 wrap-anywhere *:min-w-0 *:whitespace-normal! @max-xs:mb-1">
          {children}
          <CopyButton label={t('record.copy', { name: typeof name === 'string' ? name : '' })} value={copy} />
        </dd>
      )}
    </div>
  );
}

/** So that a contract's name breaks between its words. */
const breakCamelCase = (name: string) =>
  name.split(/(?<=[a-z])(?=[A-Z][a-z])/).map((word, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {word}
    </Fragment>
  ));

interface RecordSectionProps extends DataAttributes {
  title: string;
  /** Read out when it changes. */
  live?: boolean;
  children: ReactNode;
}

export const RecordSection = ({ title, live = false, children, ...data }: RecordSectionProps) => (
  <section
    {...data}
    aria-label={title}
    aria-live={live ? 'polite' : undefined}
    className="flex flex-col gap-3 border-t border-hairline pt-4"
  >
    <h3 className="text-section font-semibold">{title}</h3>
    {children}
  </section>
);
