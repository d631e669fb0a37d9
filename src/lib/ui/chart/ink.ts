import { useEffect, useState } from 'react';

/** The page's colours as a canvas takes them. */
export interface Ink {
  text1: string;
  text2: string;
  hairline: string;
  series: (at: number) => string;
}

/** Tokens of a chart's lines (series-chart.tsx draws its legend with the same), each at least 3 to 1 on the surface. More lines than these begin anew. */
const seriesTokens = ['--accent-text', '--ok-icon', '--warn-icon', '--bad-icon'] as const;

/** What the theme of this moment says. */
export function inkOf(): Ink {
  // Of an element: a canvas does not know the system colors that tokens are in contrast themes.
  const probe = document.body.appendChild(document.createElement('i'));
  const of = (name: string) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const series = seriesTokens.map(of);
  const ink = { text1: of('--text-1'), text2: of('--text-2'), hairline: of('--hairline') };
  probe.remove();
  return { ...ink, series: (at) => series[at % series.length] ?? ink.text1 };
}

export const fontOf = (): string => getComputedStyle(document.body).fontFamily;

/** Counts up whenever the colours of the page change: a canvas does not follow by itself. */
export function useLook(): number {
  const [look, setLook] = useState(0);
  useEffect(() => {
    const observer = new MutationObserver(() => setLook((now) => now + 1));
    observer.observe(document.documentElement, { attributeFilter: ['data-theme', 'data-contrast', 'dir'] });
    const forced = matchMedia('(forced-colors: active)');
    const onForced = () => setLook((now) => now + 1);
    forced.addEventListener('change', onForced);
    return () => {
      observer.disconnect();
      forced.removeEventListener('change', onForced);
    };
  }, []);
  return look;
}
