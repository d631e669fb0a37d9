import { useEffect, useState } from 'react';

/** CSS colors resolved for a canvas. */
export interface ChartColors {
  text1: string;
  text2: string;
  hairline: string;
  control: string;
  series: (index: number) => string;
}

/**
 * Colors of the lines, also used by the legend (series-chart.tsx), each at least 3 to 1 on the surface. Further lines repeat
 * them.
 */
const seriesTokens = ['--accent-text', '--ok-icon', '--warn-icon', '--bad-icon'] as const;

/** Colors of the current theme. */
export function chartColors(): ChartColors {
  // Resolved by an element, because a canvas does not know the system colors of contrast themes.
  const probeElement = document.body.appendChild(document.createElement('i'));
  const readColor = (name: string) => {
    probeElement.style.color = `var(${name})`;
    return getComputedStyle(probeElement).color;
  };
  const series = seriesTokens.map(readColor);
  const inkColors = {
    text1: readColor('--text-1'),
    text2: readColor('--text-2'),
    hairline: readColor('--hairline'),
    control: readColor('--control'),
  };
  probeElement.remove();
  return { ...inkColors, series: (index) => series[index % series.length] ?? inkColors.text1 };
}

export const readFontFamily = (): string => getComputedStyle(document.body).fontFamily;

/** Increments when the colors change, so that canvases redraw. */
export function useColorsVersion(): number {
  const [colorsVersion, setColorsVersion] = useState(0);
  useEffect(() => {
    const observer = new MutationObserver(() => setColorsVersion((version) => version + 1));
    observer.observe(document.documentElement, { attributeFilter: ['data-theme', 'data-contrast', 'dir'] });
    const forcedColorsQuery = matchMedia('(forced-colors: active)');
    const onForced = () => setColorsVersion((version) => version + 1);
    forcedColorsQuery.addEventListener('change', onForced);
    return () => {
      observer.disconnect();
      forcedColorsQuery.removeEventListener('change', onForced);
    };
  }, []);
  return colorsVersion;
}
