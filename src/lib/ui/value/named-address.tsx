import { useAddressName } from '../../authority/address-name.ts';
import { Address, type AddressProps } from './address.tsx';

/** An address with the name that people signed for it, where the address book has one. */
export function NamedAddress(props: AddressProps) {
  const name = useAddressName(props.value);
  if (name === null) return <Address {...props} />;
  return (
    <span
      // In a row the name stands whole and the address beside it where there is room for all of it: it wraps out of sight else.
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
