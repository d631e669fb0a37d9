import { useEffect, useState } from 'react';

declare global {
  interface Window {
    /** What the peers' palettes offer. */
    peerItems: string[];
    /** How many rows stand in the styled peer's table. */
    peerRows: number;
  }
}

/** Open or not, by Ctrl K. */
export function useToggle(): [boolean, (open: boolean) => void] {
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
  return [open, setOpen];
}
