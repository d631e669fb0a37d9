import { createElement, type SVGProps } from 'react';

interface IconData {
  node: readonly [tag: string, attributes: Record<string, string>][];
}

interface IconProps extends SVGProps<SVGSVGElement> {
  size?: number | string;
}

/**
 * Stands for lucide-react's own factory of icons (vite.config.ts), without its context, its other frameworks and a
 * kilobyte on every page. Lucide calls it with the lines of each icon; it demands a default export. What all icons share is said once, in styles.css: a list has hundreds of them, and each attribute is set by itself.
 */
export default function createIcon(icon: IconData) {
  const lines = icon.node.map(([tag, at]) => createElement(tag, at));
  return ({ size = 24, className = '', ...rest }: IconProps) =>
    createElement(
      'svg',
      {
        className: `icon ${className}`,
        width: size,
        height: size,
        viewBox: '0 0 24 24',
        strokeWidth: 2,
        'aria-hidden': rest['aria-label'] === undefined,
        ...rest,
      },
      ...lines,
    );
}
