// A palette as its library's own example would have it, for bench/ui.ts to compare with: cmdk filters and ranks, nothing behind.
import { Command } from 'cmdk';
import { createRoot } from 'react-dom/client';
import { useToggle } from './toggle.ts';

function Plain() {
  const [open] = useToggle();
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
createRoot(root).render(<Plain />);
