import { toChecksumAddress, isAddress } from '../../../../api/evm.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { Address } from '../../../lib/ui/value/address.tsx';
import { CopyButton } from '../../../lib/ui/value/copy-button.tsx';

/** The checksummed form reveals a mistyped digit. */
export function ChecksumHint({ typed }: { typed: string }) {
  const digits = typed.slice(2);
  const isUniformCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  if (!isAddress(typed) || !isUniformCase || toChecksumAddress(typed) === typed) return null;
  const checksumAddress = toChecksumAddress(typed);
  return (
    <section role="status" data-spelling className="flex flex-col gap-1 rounded-control border border-hairline bg-layer p-3">
      <h3 className="text-section font-semibold">{t('form.unspelled.title')}</h3>
      <p className="text-2">{t('form.unspelled.body')}</p>
      <p className="flex items-start gap-1">
        <Address value={checksumAddress} whole />
        <CopyButton label={t('form.unspelled.copy')} value={checksumAddress} />
      </p>
    </section>
  );
}
