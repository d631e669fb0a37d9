/** What an icon is drawn of, as lucide writes it: elements of SVG with their attributes. */
export type IconNode = readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[];

/** By tag: the attributes that only say a shape, and the same shape as a path. */
const shapes: Readonly<Record<string, { of: readonly string[]; path: (at: (name: string) => number, text: string) => string }>> =
  {
    path: { of: ['d'], path: (_, d) => fromAbsolute(d) },
    line: { of: ['x1', 'y1', 'x2', 'y2'], path: (at) => `M${at('x1')} ${at('y1')}L${at('x2')} ${at('y2')}` },
    polyline: { of: ['points'], path: (_, points) => `M${points}` },
    polygon: { of: ['points'], path: (_, points) => `M${points}z` },
    circle: { of: ['cx', 'cy', 'r'], path: (at) => round(at('cx'), at('cy'), at('r'), at('r')) },
    ellipse: { of: ['cx', 'cy', 'rx', 'ry'], path: (at) => round(at('cx'), at('cy'), at('rx'), at('ry')) },
    rect: {
      of: ['x', 'y', 'width', 'height', 'rx', 'ry'],
      path: (at) => box(at('x'), at('y'), at('width'), at('height'), at('rx'), at('ry')),
    },
  };

/**
 * An icon of one path, where its elements only say shapes: a list has hundreds of icons, and what is drawn of four elements
 * costs four times as much. What else an element says (a filled dot) keeps it one of its own.
 */
export function asOnePath(node: IconNode): IconNode {
  const rest: IconNode[number][] = [];
  let d = '';
  for (const [tag, { key: _, ...attributes }] of node) {
    const shape = shapes[tag];
    if (shape && Object.keys(attributes).every((name) => shape.of.includes(name)))
      d += shape.path((name) => Number(attributes[name] ?? 0), attributes['d'] ?? attributes['points'] ?? '');
    else rest.push([tag, attributes]);
  }
  return d === '' ? rest : [['path', { d: d.replaceAll(' -', '-') }], ...rest];
}

const number = String.raw`[+-]?(?:\d*\.\d+|\d+)`;
const relativeStart = new RegExp(String.raw`^m\s*(${number})[\s,]*(${number})[\s,]*(?=([\d.+-]?))`);

/** A path of its own may begin with a relative move; behind another it would begin where that ends. What follows it are lines. */
const fromAbsolute = (d: string) =>
  d.replace(relativeStart, (_, x: string, y: string, next: string) => `M${x} ${y}${next && 'l'}`);

const round = (cx: number, cy: number, rx: number, ry: number) =>
  `M${trim(cx - rx)} ${cy}a${rx} ${ry} 0 1 0 ${trim(2 * rx)} 0 ${rx} ${ry} 0 1 0 ${trim(-2 * rx)} 0z`;

/** Of two radii one that is not said is the other, and neither is more than half a side. */
function box(x: number, y: number, width: number, height: number, rx: number, ry: number): string {
  const [a, b] = [Math.min(rx || ry, width / 2), Math.min(ry || rx, height / 2)];
  const [across, down] = [trim(width - 2 * a), trim(height - 2 * b)];
  if (a === 0) return `M${x} ${y}h${width}v${height}h-${width}z`;
  const corner = (right: number, under: number) => `a${a} ${b} 0 0 1 ${right} ${under}`;
  return `M${trim(x + a)} ${y}h${across}${corner(a, b)}v${down}${corner(-a, b)}h-${across}${corner(-a, -b)}v-${down}${corner(a, -b)}z`;
}

/** Without what binary fractions add: 0.1 + 0.2. */
const trim = (value: number) => Number(value.toFixed(4));
