import { useAddressName } from '../../authority/address-name.ts';
import { Address, type AddressProps } from './address.tsx';

/** An address with the name that people signed for it, where the address book has one. */
export function NamedAddress(props: AddressProps) {
  const name = useAddressName(props.value);
  if (name === null) return <Address {...props} />;
  return (
    <span
      className={props.whole ? 'inline-flex min-w-0 flex-wrap items-baseline gap-x-2' : 'flex min-w-0 items-baseline gap-1.5'}
    >
      <bdi data-book-name title={name} className={props.whole ? 'font-medium' : 'min-w-0 truncate font-medium'}>
        {name}
      </bdi>
      <Address {...props} />
    </span>
  );
}
