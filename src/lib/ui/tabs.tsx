import { Tab, TabGroup, TabList, TabPanel, TabPanels } from '@headlessui/react';
import type { ReactNode } from 'react';
import { mirrorArrowKeys } from './arrow-keys.ts';

interface TabsProps<V extends string> {
  label: string;
  tabs: readonly { value: V; label: string; panel: () => ReactNode }[];
  value: V;
  onChange: (value: V) => void;
  keys?: string | undefined;
}

export function Tabs<V extends string>({ label, tabs, value, onChange, keys }: TabsProps<V>) {
  const selectTab = (index: number) => {
    const tab = tabs[index];
    if (tab && tab.value !== value) onChange(tab.value);
  };
  return (
    <TabGroup as="div" className="contents" selectedIndex={tabs.findIndex((tab) => tab.value === value)} onChange={selectTab}>
      <TabList aria-label={label} aria-keyshortcuts={keys} className="flex gap-1 px-4" onKeyDownCapture={mirrorArrowKeys}>
        {tabs.map((tab) => (
          <Tab
            key={tab.value}
            className={`h-control border-b-2 px-2 text-body ${tab.value === value ? 'border-accent font-medium text-1' : 'border-transparent text-2 hover:text-1'}`}
          >
            {tab.label}
          </Tab>
        ))}
      </TabList>
      <TabPanels className="min-h-0 flex-1">
        {tabs.map((tab) => (
          <TabPanel key={tab.value} tabIndex={-1} className="h-full">
            {tab.value === value && tab.panel()}
          </TabPanel>
        ))}
      </TabPanels>
    </TabGroup>
  );
}
