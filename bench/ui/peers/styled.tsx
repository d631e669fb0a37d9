// A back-office as shadcn-admin makes it, for bench/ui.ts to compare with: TanStack Router's places under a sidebar, each with its
// own header, a list by TanStack Table with Radix's menus and boxes, cmdk in its styled dialog over it all. What would only cost it
// more is left out: animations, the sidebar's folding, the choice of fonts.
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import * as Tooltip from '@radix-ui/react-tooltip';
import Circle from 'lucide-react/icons/circle';
import { createRoot } from 'react-dom/client';
import { Finder } from './finder.tsx';
import { Place } from './place.tsx';
import { Tasks } from './tasks.tsx';
import './styled.css';

const places = [
  'Home',
  'Tasks',
  'Apps',
  'Chats',
  'Users',
  'Secured',
  'Sign in',
  'Sign up',
  'Errors',
  'Profile',
  'Account',
  'Help',
];
const pathOf = (name: string): string => (name === 'Home' ? '/' : `/${name.toLowerCase().replace(' ', '-')}`);

function Shell() {
  return (
    <Tooltip.Provider delayDuration={0}>
      <div className="flex h-screen text-sm text-neutral-950">
        <nav className="w-64 border-e border-neutral-200 p-2">
          {places.map((name) => (
            <Tooltip.Root key={name}>
              <Tooltip.Trigger asChild>
                <Link
                  to={pathOf(name)}
                  activeOptions={{ exact: true }}
                  activeProps={{ className: 'bg-neutral-100 font-medium' }}
                  className="flex h-8 w-full items-center gap-2 rounded-md p-2 hover:bg-neutral-100"
                >
                  <Circle className="size-4" />
                  <span>{name}</span>
                </Link>
              </Tooltip.Trigger>
            </Tooltip.Root>
          ))}
        </nav>
        <div className="grow overflow-auto">
          <Outlet />
        </div>
      </div>
      <Finder />
    </Tooltip.Provider>
  );
}

const root = createRootRoute({ component: Shell });
const routes = places.map((name) =>
  createRoute({
    getParentRoute: () => root,
    path: pathOf(name),
    component: () => <Place name={name}>{name === 'Tasks' && <Tasks />}</Place>,
  }),
);
const router = createRouter({
  routeTree: root.addChildren(routes),
  history: createMemoryHistory({ initialEntries: [pathOf('Tasks')] }),
  defaultPreload: 'intent',
});

const element = document.createElement('div');
document.body.append(element);
createRoot(element).render(<RouterProvider router={router} />);
