import Copy from 'lucide-react/icons/copy';
import { checksummed, isAddress } from '../../../../api/evm.ts';
import { copyText } from '../../../lib/clipboard.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { IconButton } from '../../../lib/ui/button.tsx';
import { Address } from '../../../lib/ui/value/address.tsx';

/** The checksummed form reveals a mistyped digit. */
export function ChecksumHint({ typed }: { typed: string }) {
  const digits = typed.slice(2);
  const hasNone = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  if (!isAddress(typed) || !hasNone || checksummed(typed) === typed) return null;
  const spelled = checksummed(typed);
  return (
    <section role="status" data-spelling className="flex flex-col gap-1 rounded-control border border-hairline bg-layer p-3">
      <h3 className="text-section font-semibold">{t('form.unspelled.title')}</h3>
      <p className="text-2">{t('form.unspelled.body')}</p>
      <p className="flex items-start gap-1">
        <Address value={spelled} whole />
        <IconButton
          label={t('form.unspelled.copy')}
          icon={<Copy size={14} aria-hidden="true" />}
          className="h-6! w-6! shrink-0"
          onClick={() => void copyText(spelled)}
        />
      </p>
    </section>
  );
}
