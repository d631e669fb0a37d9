export async function drawPicture(pictureIndex: number): Promise<Uint8Array> {
  const [gradientStart, gradientEnd, lineColor] = palettes[pictureIndex % palettes.length] ?? ['#1e2a5a', '#3e63dd', '#ffffff'];
  const shapeSvg = shapes[pictureIndex % shapes.length]?.(lineColor, pictureIndex) ?? '';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="540" viewBox="0 0 960 540">
    <defs><linearGradient id="ground" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${gradientStart}"/><stop offset="1" stop-color="${gradientEnd}"/></linearGradient></defs>
    <rect width="960" height="540" fill="url(#ground)"/>${shapeSvg}</svg>`;
  const { default: sharp } = await import('sharp');
  return sharp(Buffer.from(svg)).png().toBuffer();
}

type Palette = readonly [from: string, to: string, line: string];
const palettes: readonly Palette[] = [
  ['#1e2a5a', '#3e63dd', '#c6d4ff'],
  ['#3b2212', '#f7931a', '#ffe3bf'],
  ['#0b3b36', '#12a594', '#c2f2ea'],
  ['#2a1e52', '#6e56cf', '#e0d8ff'],
  ['#1c2024', '#60646c', '#e8e8ec'],
  ['#3a1130', '#d6409f', '#ffd6ec'],
  ['#0f3a1f', '#30a46c', '#cdf4dc'],
  ['#0d2f4f', '#0090ff', '#cfe9ff'],
];

type Shape = (lineColor: string, pictureIndex: number) => string;
const shapes: readonly Shape[] = [
  (lineColor, n) =>
    repeatShape(
      7,
      (i) =>
        `<circle cx="${480 + 40 * (n % 3)}" cy="270" r="${50 + i * 44}" fill="none" stroke="${lineColor}" stroke-opacity="${0.5 - i * 0.06}" stroke-width="2"/>`,
    ),
  (lineColor, n) =>
    repeatShape(9, (i) => {
      const height = 70 + ((i * 53 + n * 29) % 260);
      return `<rect x="${120 + i * 82}" y="${470 - height}" width="46" height="${height}" rx="6" fill="${lineColor}" fill-opacity="${0.25 + i * 0.06}"/>`;
    }),
  (lineColor, n) =>
    repeatShape(5, (i) => {
      const y = 180 + i * 52;
      return `<path d="M0 ${y} C 240 ${y - 140 + n * 6}, 480 ${y + 120}, 960 ${y - 60}" fill="none" stroke="${lineColor}" stroke-opacity="${0.65 - i * 0.1}" stroke-width="3"/>`;
    }),
  (lineColor) =>
    repeatShape(6, (i) => {
      const sideLength = 60 + i * 62;
      return `<rect x="${480 - sideLength / 2}" y="${270 - sideLength / 2}" width="${sideLength}" height="${sideLength}" rx="10" fill="none" stroke="${lineColor}" stroke-opacity="${0.7 - i * 0.1}" stroke-width="2" transform="rotate(${45 + i * 6} 480 270)"/>`;
    }),
  (lineColor, n) =>
    repeatShape(60, (i) => {
      const [x, y] = [90 + (i % 12) * 71, 80 + Math.floor(i / 12) * 95];
      return `<circle cx="${x}" cy="${y}" r="${4 + ((i * 7 + n * 3) % 14)}" fill="${lineColor}" fill-opacity="0.45"/>`;
    }),
];

const repeatShape = (repeatCount: number, drawItem: (index: number) => string) =>
  Array.from({ length: repeatCount }, (_, index) => drawItem(index)).join('');
