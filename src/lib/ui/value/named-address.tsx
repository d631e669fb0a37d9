import { useAddressName } from '../../authority/address-name.ts';
import { Address, type AddressProps } from './address.tsx';

/** With its signed name from the address book, if any. */
export function NamedAddress(props: AddressProps) {
  const name = useAddressName(props.value);
  if (name === null) return <Address {...props} />;
  return (
    <span
      // In rows the name is never cut, and an address without room wraps out of sight.
      className={
        props.whole
          ? 'inline-flex min-w-0 flex-wrap items-baseline gap-x-2'
          : 'flex h-5 min-w-0 flex-wrap items-baseline gap-x-1.5 overflow-hidden'
      }
    >
      <bdi data-book-name title={name} className={props.whole ? 'font-medium' : 'max-w-full truncate font-medium'}>
        {name}
      </bdi>
      <Address {...props} />
    </span>
  );
}
