import Bell from 'lucide-react/icons/bell';
import BookOpen from 'lucide-react/icons/book-open';
import Boxes from 'lucide-react/icons/boxes';
import ChartLine from 'lucide-react/icons/chart-line';
import Coins from 'lucide-react/icons/coins';
import Ellipsis from 'lucide-react/icons/ellipsis';
import Eye from 'lucide-react/icons/eye';
import EyeOff from 'lucide-react/icons/eye-off';
import Gauge from 'lucide-react/icons/gauge';
import History from 'lucide-react/icons/rotate-ccw-clock';
import House from 'lucide-react/icons/house';
import Image from 'lucide-react/icons/image';
import KeyRound from 'lucide-react/icons/key-round';
import Keyboard from 'lucide-react/icons/keyboard';
import Landmark from 'lucide-react/icons/landmark';
import LogOut from 'lucide-react/icons/log-out';
import MessageSquare from 'lucide-react/icons/message-square';
import Newspaper from 'lucide-react/icons/newspaper';
import Pencil from 'lucide-react/icons/pencil';
import Plus from 'lucide-react/icons/plus';
import Rows3 from 'lucide-react/icons/rows-3';
import Rss from 'lucide-react/icons/rss';
import Send from 'lucide-react/icons/send';
import ShieldCheck from 'lucide-react/icons/shield-check';
import SunMoon from 'lucide-react/icons/sun-moon';
import Trash2 from 'lucide-react/icons/trash';
import type { LucideIcon, LucideProps } from 'lucide-react';
import type { moreIcons } from './more-icons.ts';

/** By lucide's names. Only icons that screens show immediately: more-icons.ts has the palette's. */
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

const knownIcons = new Map<string, LucideIcon>(Object.entries(icons));

/** Rendered icons without a shape appear at the next render. */
export function addIcons(addedIcons: Readonly<Record<string, LucideIcon>>): void {
  for (const [name, icon] of Object.entries(addedIcons)) knownIcons.set(name, icon);
}

interface IconProps extends Omit<LucideProps, 'name' | 'ref'> {
  name: IconName;
}

/** Decorative, so hidden from assistive technology. */
export function Icon({ name, size = 16, ...rest }: IconProps) {
  const IconComponent = knownIcons.get(name);
  if (!IconComponent) return <span aria-hidden="true" className="size-4 shrink-0" />;
  return <IconComponent size={size} strokeWidth={1.75} aria-hidden="true" {...rest} />;
}
