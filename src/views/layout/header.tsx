import { useStore } from '@nanostores/react';
import CircleHelp from 'lucide-react/icons/circle-question-mark';
import CircleUser from 'lucide-react/icons/circle-user';
import History from 'lucide-react/icons/history';
import KeyRound from 'lucide-react/icons/key-round';
import Languages from 'lucide-react/icons/languages';
import LogOut from 'lucide-react/icons/log-out';
import MenuIcon from 'lucide-react/icons/menu';
import Search from 'lucide-react/icons/search';
import type { LucideIcon } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { runCommand } from '../../commands/app/app.ts';
import { getOtherLanguage } from '../../commands/panel/commands.ts';
import { keysOf } from '../../commands/app/keymap.ts';
import { ariaKeys, CommandItem } from '../../commands/ui/controls/command-trigger.tsx';
import { helpPathOf } from '../../lib/help/address.ts';
import { startPath } from '../../lib/session/guard.ts';
import { createChunk } from '../../lib/chunks/loader.ts';
import { useChunk } from '../../lib/chunks/use-chunk.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { loadWords } from '../../lib/i18n/words.ts';
import { bilingualName } from '../../lib/i18n/name-of.ts';
import { currentBuild } from '../../lib/net/connectivity.ts';
import { $loginEmail, $openRoutes } from '../../lib/session/session.ts';
import { buttonClass } from '../../lib/ui/button-class.ts';
import { IconButton } from '../../lib/ui/button.tsx';
import { Kbd } from '../../lib/ui/value/kbd.tsx';
import { Menu, MenuSeparator } from '../../lib/ui/overlay/menu.tsx';

interface HeaderProps {
  onOpenMenu: () => void;
}

export function Header({ onOpenMenu }: HeaderProps) {
  return (
    <header className="col-span-full flex h-bar items-center gap-2 border-b bg-canvas px-2 md:px-3">
      <IconButton className="md:hidden" label={t('shell.openMenu')} icon={<MenuIcon size={18} />} onClick={onOpenMenu} />
      <Link
        href={startPath(useStore($openRoutes))}
        className="flex min-h-6 min-w-0 items-center rounded-control px-1 sm:shrink-0 text-body font-semibold pointer-coarse:min-h-11"
      >
        <span className="truncate">{t('shell.title')}</span>
      </Link>
      <PaletteButton />
      <div id="crumbs" className="min-w-0 flex-1 max-xl:hidden" />
      <div className="ms-auto flex items-center gap-1 max-sm:min-w-0">
        <div id="bar" />
        <HistoryMenu />
        <HelpLink />
        <LanguageToggle />
        <AccountCommandItem id="session.changePassword" icon={KeyRound} />
        <AccountCommandItem id="session.signOut" icon={LogOut} />
        <AccountMenu />
      </div>
    </header>
  );
}

/** Below 640 px it is in the bottom bar. */
function PaletteButton() {
  const [keys] = keysOf('palette.open');
  return (
    <button
      type="button"
      data-command="palette.open"
      aria-label={t('shell.search')}
      {...(keys && { 'aria-keyshortcuts': ariaKeys(keys) })}
      onClick={() => runCommand({ id: 'palette.open' }, 'button')}
      className="ms-4 flex h-control w-72 min-w-9 shrink items-center gap-2 overflow-hidden rounded-control border border-control bg-surface ps-2 pe-1 text-2 hover:bg-layer-hover max-sm:hidden"
    >
      <Search size={14} aria-hidden="true" />
      <span className="flex-1 truncate text-start max-lg:hidden">{t('shell.search')}</span>
      <span aria-hidden="true" className="flex-1 truncate text-start lg:hidden">
        {t('shell.searchShort')}
      </span>
      {keys && <Kbd keys={keys} silent />}
    </button>
  );
}

function LanguageToggle() {
  const otherLanguageInfo = getOtherLanguage();
  const [keys] = keysOf('language.switch');
  return (
    <button
      type="button"
      data-command="language.switch"
      aria-label={t('shell.switchLanguage')}
      {...(keys && { 'aria-keyshortcuts': ariaKeys(keys), 'data-tip-keys': keys })}
      onClick={() => runCommand({ id: 'language.switch' }, 'button')}
      className={buttonClass('ghost', 'max-sm:min-w-0 max-sm:shrink px-2 text-2 hover:text-1')}
    >
      <Languages size={16} strokeWidth={1.75} aria-hidden="true" />
      <span lang={otherLanguageInfo.locale} className="truncate">
        {otherLanguageInfo.name}
      </span>
    </button>
  );
}

/** Required in the header by the specification. Below 640 px it is in the menu. */
function AccountCommandItem({ id, icon: Glyph }: { id: 'session.changePassword' | 'session.signOut'; icon: LucideIcon }) {
  return (
    <button
      type="button"
      data-command={id}
      aria-label={bilingualName(id)}
      onClick={() => runCommand({ id }, 'button')}
      className={buttonClass('ghost', 'px-2 text-2 hover:text-1 max-sm:hidden')}
    >
      <Glyph size={16} strokeWidth={1.75} aria-hidden="true" />
      <span className="whitespace-nowrap">{bilingualName(id)}</span>
    </button>
  );
}

/** Undo, repeat and history by mouse. */
function HistoryMenu() {
  return (
    <Menu
      align="end"
      opener={(openerProps) => (
        <IconButton {...openerProps} label={t('shell.history')} icon={<History size={16} aria-hidden="true" />} />
      )}
    >
      <CommandItem id="history.undo" />
      <CommandItem id="history.repeat" />
      <CommandItem id="history.open" />
    </Menu>
  );
}

/** To the page about this screen. Below 640 px it is in the account menu. */
function HelpLink() {
  const [path] = useLocation();
  const [keys] = keysOf('go.help');
  return (
    <Link
      href={helpPathOf(path)}
      data-command="go.help"
      aria-label={t('shell.help')}
      data-tip={t('shell.help')}
      {...(keys && { 'aria-keyshortcuts': ariaKeys(keys), 'data-tip-keys': keys })}
      className={buttonClass('ghost', 'w-control px-0 text-2 hover:text-1 max-sm:hidden pointer-coarse:min-w-11')}
    >
      <CircleHelp size={16} strokeWidth={1.75} aria-hidden="true" />
    </Link>
  );
}

const version = String(import.meta.env.PANEL_VERSION ?? '');

function AccountMenu() {
  const email = useStore($loginEmail);
  return (
    <Menu
      align="end"
      opener={(openerProps) => (
        <button
          type="button"
          {...openerProps}
          aria-label={`${t('shell.account')} ${email}`}
          className={buttonClass('ghost', 'max-w-64 px-2 text-2 hover:text-1 pointer-coarse:min-w-11')}
        >
          <CircleUser size={16} strokeWidth={1.75} aria-hidden="true" />
          <span className="hidden truncate lg:block">{email}</span>
        </button>
      )}
    >
      <div className="max-w-72 px-2 py-1 text-meta break-all text-2">{email}</div>
      <MenuSeparator />
      <CommandItem id="go.account" label={t('shell.ownAccount')} />
      <MenuSeparator />
      <Appearance />
      <MenuSeparator />
      <CommandItem id="go.help" label={t('shell.help')} />
      <CommandItem id="keys.help" />
      <CommandItem id="keys.edit" />
      <CommandItem id="page.print" />
      <MenuSeparator />
      <CommandItem id="session.changePassword" />
      <CommandItem id="session.signOut" />
      <MenuSeparator />
      <div className="px-2 py-1 text-meta text-2">{t('shell.version', { version, build: currentBuild ?? 'dev' })}</div>
    </Menu>
  );
}

const appearanceChunk = createChunk(
  async () => (await Promise.all([import('./appearance-items.tsx'), loadWords('resources')]))[0].AppearanceItems,
);

function Appearance() {
  const { value: AppearanceItems } = useChunk(appearanceChunk, true);
  return AppearanceItems && <AppearanceItems />;
}
