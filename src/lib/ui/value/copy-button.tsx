import Copy from 'lucide-react/icons/copy';
import { copyText } from '../../clipboard.ts';
import { IconButton } from '../button.tsx';

/** As high as a line of text, with a hit target of 24 px. */
export const CopyButton = ({ label, value }: { label: string; value: string }) => (
  <IconButton
    label={label}
    icon={<Copy size={14} aria-hidden="true" />}
    className="-my-0.5 h-6! w-6! shrink-0"
    onClick={() => void copyText(value)}
  />
);
