import { useStore } from '@nanostores/react';
import { $download } from '../../net/download.ts';
import { groupDigits } from '../../format.ts';
import { t, type TextKey } from '../../i18n/i18n.ts';
import { Button } from '../button.tsx';

type Says = Extract<TextKey, `${string}.exporting`>;

export function ExportProgress({ says }: { says: Says }) {
  const download = useStore($download);
  if (!download) return null;
  return (
    <div role="status" className="flex items-center gap-2 text-meta text-2 tabular-nums">
      {t(says, { n: groupDigits(download.rows), of: groupDigits(download.of) })}
      <Button look="ghost" onClick={download.cancel}>
        {t('common.cancel')}
      </Button>
    </div>
  );
}
