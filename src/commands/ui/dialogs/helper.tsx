import type { ComponentType } from 'react';
import { createChunk, type Chunk } from '../../../lib/chunks/loader.ts';
import { useChunk } from '../../../lib/chunks/use-chunk.ts';
import { loadWords } from '../../../lib/i18n/words.ts';
import type { FormState } from '../../../lib/ui/form/use-form.ts';
import { FailedChunk } from '../../../lib/ui/failed-part.tsx';
import { Skeleton } from '../../../lib/ui/skeleton.tsx';
import type { Helper as HelperName } from '../../engine/fields.ts';

/** `set` changes a field of the form. */
export type HelperProps = Pick<FormState, 'values' | 'start' | 'set'>;

const helpers: Record<HelperName, Chunk<ComponentType<HelperProps>>> = {
  transaction: createChunk(
    async () => (await Promise.all([import('../../deposits/review/fill.tsx'), loadWords('deposits')]))[0].TransactionHelper,
  ),
  receiver: createChunk(
    async () => (await Promise.all([import('../../authority/review/fill.tsx'), loadWords('authority')]))[0].ReceiverHelper,
  ),
  networks: createChunk(
    async () => (await Promise.all([import('../../access/review/limits.tsx'), loadWords('roles')]))[0].NetworksHelper,
  ),
  sessionLimits: createChunk(
    async () => (await Promise.all([import('../../access/review/limits.tsx'), loadWords('roles')]))[0].SessionLimitsHelper,
  ),
};

/** Those that fill in a new record. */
export const fillingHelpers: ReadonlySet<HelperName> = new Set(['transaction', 'receiver']);

/** Loaded separately. */
export function FieldHelper({ name, ...props }: HelperProps & { name: HelperName | undefined }) {
  return name ? <LoadedHelper of={helpers[name]} {...props} /> : null;
}

function LoadedHelper({ of, ...props }: HelperProps & { of: Chunk<ComponentType<HelperProps>> }) {
  const helper = useChunk(of, true);
  if (helper.error) return <FailedChunk {...helper} />;
  return helper.value ? <helper.value {...props} /> : <Skeleton lines={1} />;
}
