import { useStore } from '@nanostores/react';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { computed } from 'nanostores';
import { createPortal } from 'react-dom';
import { Link, useLocation } from 'wouter';
import type { MenuNode } from '../../../../api/menu.ts';
import { pickLocaleName, t } from '../../../lib/i18n/i18n.ts';
import { buildMenu } from '../../../lib/session/menu.ts';
import { $viewContexts } from '../../../lib/scope.ts';
import { $permittedRoutes } from '../../../lib/session/session.ts';
import { useElement } from '../../../lib/ui/use-element.ts';

export function useTrail(): readonly MenuNode[] {
  const [path] = useLocation();
  const routes = useStore($permittedRoutes);
  return routes ? trailTo(path, buildMenu(routes)) : [];
}

export function trailTo(path: string, nodes: readonly MenuNode[]): readonly MenuNode[] {
  for (const node of nodes) {
    if (node.path === path) return [node];
    const childTrail = trailTo(path, node.children ?? []);
    if (childTrail.length > 0) return [node, ...childTrail];
  }
  return [];
}

/** Derived, so that a moving cursor redraws nothing here. */
const $openName = computed($viewContexts, (viewContexts) => {
  const topContext = viewContexts.at(-1);
  return topContext?.controls === null ? topContext.cursor?.name : undefined;
});

export function Crumbs() {
  const trail = useTrail();
  const name = useStore($openName);
  const [path] = useLocation();
  const record = name !== undefined && new URLSearchParams(location.search).has('open') ? name : undefined;
  const slotElement = useElement('crumbs');
  if (!slotElement || trail.length + (record ? 1 : 0) < 2) return null;
  return createPortal(
    <nav aria-label={t('page.crumbs')} className="min-w-0">
      <ol className="flex min-w-0 items-center gap-1 text-body whitespace-nowrap text-2">
        {trail.map((node, index) => (
          <li key={node.path} className="flex min-w-0 items-center gap-1">
            {index > 0 && <CrumbSeparator />}
            <Link
              href={node.path}
              aria-current={node.path === path && !record ? 'page' : undefined}
              className="inline-flex min-h-6 min-w-0 items-center rounded-chip px-1 hover:bg-layer-hover hover:text-1 aria-[current]:text-1"
            >
              <span className="truncate">{pickLocaleName(node)}</span>
            </Link>
          </li>
        ))}
        {record && (
          // The record's name shortens first. Its page names it in full.
          <li className="flex min-w-24 shrink-[999] items-center gap-1">
            <CrumbSeparator />
            <span aria-current="page" className="max-w-72 truncate px-1 text-1">
              {record}
            </span>
          </li>
        )}
      </ol>
    </nav>,
    slotElement,
  );
}

const CrumbSeparator = () => <ChevronRight size={14} aria-hidden="true" className="flip-rtl" />;
