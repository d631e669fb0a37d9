import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowDownToLine from 'lucide-react/icons/arrow-down-to-line';
import ArrowUp from 'lucide-react/icons/arrow-up';
import ArrowUpFromLine from 'lucide-react/icons/arrow-up-from-line';
import ArrowUpToLine from 'lucide-react/icons/arrow-up-to-line';
import Bookmark from 'lucide-react/icons/bookmark';
import BookmarkPlus from 'lucide-react/icons/bookmark-plus';
import Calculator from 'lucide-react/icons/calculator';
import CircleHelp from 'lucide-react/icons/circle-question-mark';
import CircleUser from 'lucide-react/icons/circle-user';
import ChevronsDown from 'lucide-react/icons/chevrons-down';
import ChevronsUp from 'lucide-react/icons/chevrons-up';
import Columns3 from 'lucide-react/icons/columns-3';
import Command from 'lucide-react/icons/command';
import Copy from 'lucide-react/icons/copy';
import Download from 'lucide-react/icons/download';
import ExternalLink from 'lucide-react/icons/external-link';
import FilterX from 'lucide-react/icons/funnel-x';
import ListFilter from 'lucide-react/icons/list-filter';
import Gift from 'lucide-react/icons/gift';
import IdCard from 'lucide-react/icons/id-card';
import KeyboardOff from 'lucide-react/icons/keyboard-off';
import Languages from 'lucide-react/icons/languages';
import Layers from 'lucide-react/icons/layers';
import Link from 'lucide-react/icons/link';
import List from 'lucide-react/icons/list';
import ListChecks from 'lucide-react/icons/list-checks';
import ListTree from 'lucide-react/icons/list-tree';
import Megaphone from 'lucide-react/icons/megaphone';
import Maximize2 from 'lucide-react/icons/maximize-2';
import Merge from 'lucide-react/icons/merge';
import MonitorSmartphone from 'lucide-react/icons/monitor-smartphone';
import PanelLeft from 'lucide-react/icons/panel-left';
import Printer from 'lucide-react/icons/printer';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import Repeat from 'lucide-react/icons/repeat';
import ScrollText from 'lucide-react/icons/scroll-text';
import Search from 'lucide-react/icons/search';
import SquareCheck from 'lucide-react/icons/square-check';
import SquareX from 'lucide-react/icons/square-x';
import SquareTerminal from 'lucide-react/icons/square-terminal';
import ShieldOff from 'lucide-react/icons/shield-off';
import Undo2 from 'lucide-react/icons/undo-2';
import Unlink from 'lucide-react/icons/unlink';
import UserCheck from 'lucide-react/icons/user-check';
import UserCog from 'lucide-react/icons/user-cog';
import UserX from 'lucide-react/icons/user-x';
import Users from 'lucide-react/icons/users';
import Vault from 'lucide-react/icons/vault';
import Wallet from 'lucide-react/icons/wallet';
import X from 'lucide-react/icons/x';

/** Loaded with the palette. */
export const moreIcons = {
  'arrow-down': ArrowDown,
  'arrow-down-to-line': ArrowDownToLine,
  'arrow-up': ArrowUp,
  'arrow-up-from-line': ArrowUpFromLine,
  'arrow-up-to-line': ArrowUpToLine,
  bookmark: Bookmark,
  'bookmark-plus': BookmarkPlus,
  calculator: Calculator,
  'circle-question-mark': CircleHelp,
  'circle-user': CircleUser,
  'chevrons-down': ChevronsDown,
  'chevrons-up': ChevronsUp,
  'columns-3': Columns3,
  command: Command,
  copy: Copy,
  download: Download,
  'external-link': ExternalLink,
  'filter-x': FilterX,
  'list-filter': ListFilter,
  gift: Gift,
  'id-card': IdCard,
  'keyboard-off': KeyboardOff,
  languages: Languages,
  layers: Layers,
  link: Link,
  list: List,
  'list-checks': ListChecks,
  'list-tree': ListTree,
  megaphone: Megaphone,
  'maximize-2': Maximize2,
  merge: Merge,
  'monitor-smartphone': MonitorSmartphone,
  'panel-left': PanelLeft,
  printer: Printer,
  'refresh-cw': RefreshCw,
  repeat: Repeat,
  'scroll-text': ScrollText,
  search: Search,
  'square-check': SquareCheck,
  'square-x': SquareX,
  'square-terminal': SquareTerminal,
  'shield-off': ShieldOff,
  'undo-2': Undo2,
  unlink: Unlink,
  'user-check': UserCheck,
  'user-cog': UserCog,
  'user-x': UserX,
  users: Users,
  vault: Vault,
  wallet: Wallet,
  x: X,
} as const;
