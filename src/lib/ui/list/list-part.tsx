import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { WholeList } from './whole-list.ts';

interface ListPartProps {
  /** Pixels. */
  minHeight: number;
  children: ReactNode;
}

/**
 * The list under other parts of a screen. It fills the rest of the screen and scrolls. Where less than `minHeight` is left, it is as
 * high as its rows and only the screen scrolls, because people don't find a scroller inside another.
 */
export function ListPart({ minHeight, children }: ListPartProps) {
  const part = useRef<HTMLDivElement>(null);
  const [isWhole, setIsWhole] = useState(false);
  useLayoutEffect(() => {
    const element = part.current;
    const screen = element?.closest('main');
    const parent = element?.parentElement;
    if (!element || !screen || !parent) return;
    const update = () => setIsWhole(screen.clientHeight - element.offsetTop < minHeight);
    const resizes = new ResizeObserver(update);
    const observeParts = () => {
      for (const observed of [screen, ...parent.children]) resizes.observe(observed);
      update();
    };
    observeParts();
    const additions = new MutationObserver(observeParts);
    additions.observe(parent, { childList: true });
    return () => {
      resizes.disconnect();
      additions.disconnect();
    };
  }, [minHeight]);
  return (
    <div ref={part} className={`border-t border-hairline ${isWhole ? 'shrink-0' : 'min-h-0 flex-1'}`}>
      <WholeList value={isWhole}>{children}</WholeList>
    </div>
  );
}
