import { useEffect, useState } from 'react';

/** CSS colors resolved for a canvas. */
export interface ChartColors {
  text1: string;
  text2: string;
  hairline: string;
  control: string;
  series: (at: number) => string;
}

/**
 * Colors of the lines, also used by the legend (series-chart.tsx), each at least 3 to 1 on the surface. Further lines repeat
 * them.
 */
const seriesTokens = ['--accent-text', '--ok-icon', '--warn-icon', '--bad-icon'] as const;

/** Colors of the current theme. */
export function chartColors(): ChartColors {
  // Resolved by an element, because a canvas does not know the system colors of contrast themes.
  const probe = document.body.appendChild(document.createElement('i'));
  const of = (name: string) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const series = seriesTokens.map(of);
  const ink = { text1: of('--text-1'), text2: of('--text-2'), hairline: of('--hairline'), control: of('--control') };
  probe.remove();
  return { ...ink, series: (at) => series[at % series.length] ?? ink.text1 };
}

export const fontOf = (): string => getComputedStyle(document.body).fontFamily;

/** Increments when the colors change, so that canvases redraw. */
export function useColorsVersion(): number {
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
