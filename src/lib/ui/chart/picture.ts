import { namedWithUnit } from '../../i18n/punctuation.ts';
import { labelText, figureText, drawn, type BarsData, type SeriesData } from './data.ts';
import { fontOf, inkOf } from './ink.ts';

const edge = 24;
const width = 1120;

async function pictureOf(
  title: string,
  note: string,
  height: number,
  draw: (on: CanvasRenderingContext2D, top: number) => void,
): Promise<Blob> {
  const canvas = document.createElement('canvas');
  const ratio = Math.max(1, devicePixelRatio);
  const head = note ? 72 : 52;
  canvas.width = (width + 2 * edge) * ratio;
  canvas.height = (height + head + 2 * edge) * ratio;
  const on = canvas.getContext('2d');
  if (!on) throw new Error('this browser can’t draw pictures');
  const ink = inkOf();
  on.scale(ratio, ratio);
  on.fillStyle = ink.surface;
  on.fillRect(0, 0, canvas.width, canvas.height);
  const isRtl = document.documentElement.dir === 'rtl';
  on.direction = isRtl ? 'rtl' : 'ltr';
  on.textAlign = 'start';
  const start = isRtl ? edge + width : edge;
  on.fillStyle = ink.text1;
  on.font = `600 20px ${fontOf()}`;
  on.fillText(title, start, edge + 20, width);
  on.fillStyle = ink.text2;
  on.font = `13px ${fontOf()}`;
  if (note) on.fillText(note, start, edge + 44, width);
  draw(on, edge + head);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture came out empty'))), 'image/png');
  });
}

export async function seriesPicture(title: string, data: SeriesData, shape: 'line' | 'bars', beforeWord: string): Promise<Blob> {
  const { plotCanvas } = await import('./plot.ts');
  const isRtl = document.documentElement.dir === 'rtl';
  const height = 440;
  const plot = await plotCanvas({ data, shape, width, height, isRtl });
  const ends = [data.labels[0], data.labels.at(-1)].flatMap((label) => (label ? [labelText(label, data.unit)] : []));
  return pictureOf(title, ends.join(' – '), height + 28, (on, top) => {
    on.drawImage(plot, edge, top, width, height);
    legend(on, data, top + height + 20, beforeWord, isRtl);
  });
}

function legend(on: CanvasRenderingContext2D, { series }: SeriesData, y: number, beforeWord: string, isRtl: boolean): void {
  const ink = inkOf();
  const step = isRtl ? -1 : 1;
  let x = isRtl ? edge + width : edge;
  const entry = (words: string, colour: string, dash: number[]) => {
    on.strokeStyle = colour;
    on.lineWidth = 2;
    on.setLineDash(dash);
    on.beginPath();
    on.moveTo(x, y - 4);
    on.lineTo(x + step * 20, y - 4);
    on.stroke();
    on.setLineDash([]);
    on.fillStyle = ink.text1;
    on.fillText(words, x + step * 28, y);
    x += step * (28 + on.measureText(words).width + 24);
  };
  for (const [at, { name, measure, before }] of series.entries()) {
    entry(namedWithUnit(name, measure.unit), ink.series(at), []);
    if (before) entry(beforeWord, ink.text2, [4, 4]);
  }
}

export function barsPicture(title: string, { bars, measure }: BarsData): Promise<Blob> {
  const row = 28;
  const isRtl = document.documentElement.dir === 'rtl';
  const most = Math.max(0, ...bars.map(({ value }) => drawn(value, measure) ?? 0));
  return pictureOf(title, '', bars.length * row, (on, top) => {
    const ink = inkOf();
    const [names, values] = [260, 240];
    const room = width - names - values;
    const at = (x: number, wide = 0) => (isRtl ? edge + width - x - wide : edge + x);
    for (const [index, { label, value }] of bars.entries()) {
      const y = top + index * row;
      const long = most === 0 ? 0 : (room * Math.max(0, drawn(value, measure) ?? 0)) / most;
      on.fillStyle = ink.series(0);
      on.fillRect(at(names, long), y + 8, long, 12);
      on.fillStyle = ink.text1;
      on.textAlign = 'start';
      on.fillText(label, at(0), y + 18, names - 12);
      on.textAlign = 'end';
      on.fillText(figureText(value, measure), at(width), y + 18, values - 12);
    }
  });
}
