import { t, type Dictionary } from '../../i18n/i18n.ts';
import type { Message } from '../../i18n/text.ts';
import { Chip } from './chip.tsx';

type ShowableResource = {
  [K in keyof Dictionary]: Dictionary[K] extends { status: { shown: Message; hidden: Message } } ? K : never;
}[keyof Dictionary];

export const ShownChip = ({ of, row }: { of: ShowableResource; row: { shown: boolean } }) => (
  <Chip state={row.shown ? 'done' : 'off'}>{t(row.shown ? `${of}.status.shown` : `${of}.status.hidden`)}</Chip>
);
