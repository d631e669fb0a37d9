import { navigate } from 'wouter/use-browser-location';
import type { ImportKind } from '../../../api/imports/contract.ts';
import { importsAddress } from './address.ts';
import { ImportList } from './list.tsx';
import { ImportRecord } from './record.tsx';

export function ImportsDrawer({ kind, id }: { kind: ImportKind; id: string }) {
  const close = () => navigate(importsAddress(location.search, null), { replace: true });
  return id === 'all' ? <ImportList kind={kind} onClose={close} /> : <ImportRecord kind={kind} id={id} onClose={close} />;
}
