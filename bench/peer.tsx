// The same palette as its library's own example would have it, for bench/ui.ts to compare with: cmdk filters and ranks.
import { Command } from 'cmdk';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

declare global {
  interface Window {
    peerItems: string[];
  }
}

function Peer() {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const toggle = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !event.ctrlKey) return;
      event.preventDefault();
      setOpen((isOpen) => !isOpen);
    };
    addEventListener('keydown', toggle);
    return () => removeEventListener('keydown', toggle);
  }, []);
  if (!open) return null;
  return (
    <Command data-palette>
      <Command.Input autoFocus data-palette-input />
      <Command.List>
        {window.peerItems.map((item) => (
          <Command.Item key={item} value={item}>
            {item}
          </Command.Item>
        ))}
      </Command.List>
    </Command>
  );
}

const root = document.createElement('div');
document.body.append(root);
createRoot(root).render(<Peer />);
