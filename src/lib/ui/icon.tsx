import {
  Bell,
  BookOpen,
  Boxes,
  ChartLine,
  Coins,
  Ellipsis,
  Eye,
  EyeOff,
  Gauge,
  History,
  House,
  Image,
  KeyRound,
  Keyboard,
  Landmark,
  LogOut,
  MessageSquare,
  Newspaper,
  Pencil,
  Plus,
  Rows3,
  Rss,
  Send,
  ShieldCheck,
  SunMoon,
  Trash2,
  type LucideIcon,
  type LucideProps,
} from 'lucide-react';
import type { moreIcons } from './more-icons.ts';

/** Icons of buttons, menus and the sidebar that a screen shows at once, by lucide's own names. The palette brings the others. */
const icons = {
  bell: Bell,
  'book-open': BookOpen,
  boxes: Boxes,
  'chart-line': ChartLine,
  coins: Coins,
  ellipsis: Ellipsis,
  eye: Eye,
  'eye-off': EyeOff,
  gauge: Gauge,
  history: History,
  house: House,
  image: Image,
  'key-round': KeyRound,
  keyboard: Keyboard,
  landmark: Landmark,
  'log-out': LogOut,
  'message-square': MessageSquare,
  newspaper: Newspaper,
  pencil: Pencil,
  plus: Plus,
  'rows-3': Rows3,
  rss: Rss,
  send: Send,
  'shield-check': ShieldCheck,
  'sun-moon': SunMoon,
  'trash-2': Trash2,
} as const;

export type IconName = keyof typeof icons | keyof typeof moreIcons;

const known = new Map<string, LucideIcon>(Object.entries(icons));

/** Makes more icons known; what was drawn without its own is right when it is drawn next. */
export function addIcons(more: Readonly<Record<string, LucideIcon>>): void {
  for (const [name, icon] of Object.entries(more)) known.set(name, icon);
}

interface IconProps extends Omit<LucideProps, 'name' | 'ref'> {
  name: IconName;
}

/** An icon beside words, never instead of them: hidden from those who hear the page. */
export function Icon({ name, size = 16, ...rest }: IconProps) {
  const Shape = known.get(name);
  if (!Shape) return <span aria-hidden="true" className="size-4 shrink-0" />;
  return <Shape size={size} strokeWidth={1.75} aria-hidden="true" {...rest} />;
}
