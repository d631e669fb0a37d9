import Bell from 'lucide-react/icons/bell';
import Moon from 'lucide-react/icons/moon';
import Search from 'lucide-react/icons/search';
import Settings from 'lucide-react/icons/settings';
import type { ReactNode } from 'react';
import { Menu } from './menu.tsx';

/** A place with its header, which comes and goes with it. */
export function Place({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <header className="flex h-16 items-center gap-4 p-4">
        <button type="button" className="flex h-8 w-52 items-center gap-2 rounded-md border border-neutral-200 px-3">
          <Search className="size-4" /> Search
        </button>
        <div className="ms-auto flex items-center gap-4">
          <Menu label="Theme" icon={Moon} items={['Light', 'Dark', 'System']} />
          <Menu label="Notices" icon={Bell} items={['All', 'New']} />
          <Menu label="Profile" icon={Settings} items={['Profile', 'Billing', 'Settings', 'Sign out']} />
        </div>
      </header>
      <main className="px-4 py-6">
        <h2 className="mb-4 text-2xl font-bold tracking-tight">{name}</h2>
        {children}
      </main>
    </>
  );
}
