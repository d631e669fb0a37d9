import type { ComponentType } from 'react';
import { loadWords } from '../../../lib/i18n/words.ts';
import { createChunk, type Chunk } from '../../../lib/chunks/loader.ts';
import { FailedChunk } from '../../../lib/ui/failed-part.tsx';
import { Skeleton } from '../../../lib/ui/skeleton.tsx';
import { useChunk } from '../../../lib/chunks/use-chunk.ts';
import type { AnyCommand } from '../../engine/define.ts';
import type { PanelProps } from './panel-props.ts';

const panels: Record<NonNullable<AnyCommand['panel']>, Chunk<ComponentType<PanelProps>>> = {
  deposit: createChunk(
    async () => (await Promise.all([import('../../deposits/review/panel.tsx'), loadWords('deposits')]))[0].DepositPanel,
  ),
  refund: createChunk(
    async () => (await Promise.all([import('../../withdrawals/review/panel.tsx'), loadWords('withdrawals')]))[0].RefundPanel,
  ),
  authority: createChunk(
    async () => (await Promise.all([import('../../authority/review/panel.tsx'), loadWords('authority')]))[0].AuthorityPanel,
  ),
  newsJoin: createChunk(
    async () =>
      (
        await Promise.all([
          import('../../news/review/panel.tsx'),
          loadWords('news'),
          loadWords('newsTranslations'),
          loadWords('schedule'),
        ])
      )[0].NewsJoinPanel,
  ),
  cli: createChunk(async () => (await import('../../cli/review/panel.tsx')).CliPanel),
  crsm: createChunk(async () => (await Promise.all([import('../../crsm/review/panel.tsx'), loadWords('crsm')]))[0].CrsmPanel),
};

export function CommandPanel({ name, ...props }: PanelProps & { name: AnyCommand['panel'] }) {
  return name ? <LoadedPanel of={panels[name]} {...props} /> : null;
}

function LoadedPanel({ of, ...props }: PanelProps & { of: Chunk<ComponentType<PanelProps>> }) {
  const panel = useChunk(of, true);
  if (panel.error) return <FailedChunk {...panel} />;
  return panel.value ? <panel.value {...props} /> : <Skeleton lines={3} />;
}
