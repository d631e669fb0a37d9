import { t } from '../../i18n/i18n.ts';
import { Button } from '../button.tsx';

export const UnreadValue = ({ words, retry }: { words: string; retry: () => unknown }) => (
  <p role="alert" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-body text-2">
    {words}
    <Button onClick={() => void retry()}>{t('common.retry')}</Button>
  </p>
);
