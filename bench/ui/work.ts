import type { Browser, Page } from 'playwright';

/** Milliseconds of CPU on a page's main thread. */
export interface Work {
  script: number;
  style: number;
  layout: number;
  paint: number;
  other: number;
  total: number;
}

type Kind = Exclude<keyof Work, 'total'>;

const kinds: readonly (readonly [Kind, RegExp])[] = [
  ['style', /^(UpdateLayoutTree|RecalcStyle|InvalidateLayout|ScheduleStyleRecalculation)$/],
  ['layout', /^(Layout|HitTest|IntersectionObserverController::computeIntersections)$/],
  ['paint', /^(Paint|PrePaint|Layerize|Commit|UpdateLayer|UpdateLayerTree|CompositeLayers|PaintImage)$/],
  [
    'script',
    /^(EvaluateScript|FunctionCall|EventDispatch|TimerFire|FireAnimationFrame|RunMicrotasks|FireIdleCallback|v8\..*|V8\..*|(Minor|Major)GC|XHR.*|HandlePostMessage)$/,
  ],
];

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

const categories = ['devtools.timeline', 'v8', 'disabled-by-default-devtools.timeline', 'toplevel', '__metadata'];

/** What the page does while something is done to it, and until it is quiet again. Other pages must be. */
export async function workOf(browser: Browser, page: Page, act: () => Promise<void>): Promise<Work> {
  await browser.startTracing(page, { categories });
  await act();
  const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as { traceEvents: TraceEvent[] };
  return summed(traceEvents);
}

/** Each event's time without that of the events in it, by the kind of work of it or of what it is in. */
function summed(events: readonly TraceEvent[]): Work {
  const mains = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}.${tid}`),
  );
  const work: Work = { script: 0, style: 0, layout: 0, paint: 0, other: 0, total: 0 };
  for (const main of mains) {
    const own = events.filter(({ ph, pid, tid, dur }) => ph === 'X' && dur !== undefined && `${pid}.${tid}` === main);
    own.sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
    const open: { end: number; kind: Kind }[] = [];
    for (const { name, ts, dur = 0, tdur = dur } of own) {
      while ((open.at(-1)?.end ?? Infinity) <= ts) open.pop();
      const around = open.at(-1);
      const kind = kinds.find(([, names]) => names.test(name))?.[0] ?? around?.kind ?? 'other';
      const spent = tdur / 1000;
      if (around) work[around.kind] -= spent;
      else work.total += spent;
      work[kind] += spent;
      open.push({ end: ts + dur, kind });
    }
  }
  return work;
}
