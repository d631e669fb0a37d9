import { useStore } from '@nanostores/react';
import ChevronDown from 'lucide-react/icons/chevron-down';
import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import type { MenuNode, RoutePath } from '../../../api/menu.ts';
import { navigationKeysFor } from '../../commands/app/go-keys.ts';
import { screensByPath } from '../../commands/app/screens.ts';
import { ariaKeys } from '../../commands/ui/controls/command-trigger.tsx';
import { buildMenu } from '../../lib/session/menu.ts';
import { pickLocaleName, t } from '../../lib/i18n/i18n.ts';
import { $closedGroups, toggleGroup } from '../../lib/prefs/sidebar.ts';
import { $menuRoutes, $permittedPaths, $viewAs } from '../../lib/session/session.ts';
import { Icon, type IconName } from '../../lib/ui/icon.tsx';
import { $listExtras } from '../../lib/ui/list/extras.ts';
import { Skeleton } from '../../lib/ui/skeleton.tsx';
import { preloadScreen } from './screens.ts';

/** Custom nodes of the permission tree have the group icon. */
function iconOf(path: string): IconName {
  const navScreen: { icon: IconName } | undefined = screensByPath[path as RoutePath];
  return navScreen?.icon ?? 'boxes';
}

const rowClass =
  'ring-inside flex h-control w-full items-center gap-2.5 rounded-control text-body select-none hover:bg-layer-hover';

/** Built from the permitted routes of the permission tree. A rail shows only icons, and groups open their first screen. */
export function Nav({ rail = false }: { rail?: boolean }) {
  const routes = useStore($menuRoutes);
  const [path] = useLocation();
  const menu = useRef<HTMLElement>(null);
  // On a low screen the current page may be below the edge.
  useEffect(() => {
    menu.current?.querySelector('a[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [path, routes]);
  if (!routes) return <Skeleton lines={8} />;
  return (
    <nav ref={menu} aria-label={t('shell.menu')} className="min-h-0 flex-1 scroll-py-2 overflow-y-auto p-2">
      <ul className="flex flex-col gap-px">
        {buildMenu(routes).map((node) => (
          <li key={node.path}>
            {rail ? <RailLink node={node} /> : node.children ? <Group node={node} /> : <PageLink node={node} />}
          </li>
        ))}
      </ul>
    </nav>
  );
}

function PageLink({ node, inGroup = false }: { node: MenuNode; inGroup?: boolean }) {
  const [path] = useLocation();
  const keys = navigationKeysFor(node.path);
  const isCurrent = path === node.path;
  const { NavViews } = useStore($listExtras);
  const isClosed = useClosed(node);
  const paddingClass = inGroup ? 'ps-8.5 pe-1' : 'px-2';
  if (isClosed)
    return (
      <span aria-disabled="true" title={t('shell.viewAs.notYours')} className={`${rowClass} text-2 opacity-60 ${paddingClass}`}>
        {!inGroup && <Icon name={iconOf(node.path)} />}
        <span className="truncate">{pickLocaleName(node)}</span>
      </span>
    );
  return (
    <>
      <Link
        href={node.path}
        aria-current={isCurrent ? 'page' : undefined}
        aria-keyshortcuts={keys && ariaKeys(keys)}
        onPointerEnter={() => preloadScreen(node.path)}
        onFocus={() => preloadScreen(node.path)}
        className={`${rowClass} ${isCurrent ? 'bg-layer-active font-medium text-1' : 'text-2 hover:text-1'} ${paddingClass}`}
      >
        {!inGroup && <Icon name={iconOf(node.path)} />}
        <span className="truncate">{pickLocaleName(node)}</span>
      </Link>
      {NavViews && <NavViews place={node.path} />}
    </>
  );
}

/** While viewing: a screen that the viewer's own account can't open. */
function useClosed({ path, children }: MenuNode): boolean {
  const paths = useStore($permittedPaths);
  return useStore($viewAs) !== null && !children && !paths.has(path);
}

function Group({ node }: { node: MenuNode }) {
  const isOpen = !useStore($closedGroups).has(node.path);
  const [path] = useLocation();
  const hasCurrentChild = node.children?.some((child) => child.path === path) ?? false;
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => toggleGroup(node.path)}
        className={`${rowClass} px-2 ${hasCurrentChild ? 'font-medium text-1' : 'text-2 hover:text-1'}`}
      >
        <Icon name={iconOf(node.path)} />
        <span className="flex-1 truncate text-start rtl:text-right">{pickLocaleName(node)}</span>
        <ChevronDown size={14} aria-hidden="true" className={isOpen ? '' : '-rotate-90 rtl:rotate-90'} />
      </button>
      {isOpen && (
        <ul className="mt-px flex flex-col gap-px">
          {node.children?.map((child) => (
            <li key={child.path}>{child.children ? <Group node={child} /> : <PageLink node={child} inGroup />}</li>
          ))}
        </ul>
      )}
    </>
  );
}

function RailLink({ node }: { node: MenuNode }) {
  const [path] = useLocation();
  const isCurrent = path === node.path;
  const hasCurrentChild = node.children?.some((child) => child.path === path) ?? false;
  const name = pickLocaleName(node);
  return (
    <Link
      href={node.path}
      aria-label={name}
      data-tip-keys={navigationKeysFor(node.path)}
      aria-current={isCurrent ? 'page' : hasCurrentChild ? 'true' : undefined}
      className={`${rowClass} px-2 justify-center ${isCurrent || hasCurrentChild ? 'bg-layer-active text-1' : 'text-2 hover:text-1'}`}
    >
      <Icon name={iconOf(node.path)} />
    </Link>
  );
}
