import { describe, expect, it, vi } from 'vitest';
import { importWithStyles } from './import-with-styles.ts';
import { ChunkError } from './loader.ts';

const missing = new ChunkError('chunk', 'missing');

/** A page to which files come as told, by address: their text or why not, one answer after another. Remembers what was asked for. */
function page(answers: Record<string, (string | Error)[]> = {}) {
  const asked: string[] = [];
  const answer = async (href: string) => {
    asked.push(href);
    const next = answers[href]?.shift() ?? '';
    if (next instanceof Error) throw next;
    return next;
  };
  return { asked, download: answer, attach: vi.fn(async () => {}) };
}

/** A dynamic import as the build writes it, and how often it was begun. */
function importOf(file: string) {
  const load = vi.fn(async () => 'view');
  return Object.assign(load, { toString: () => `async()=>{let{View:e}=await import(\`./${file}\`);return{View:e}}` });
}

describe('a chunk with stylesheets', () => {
  it('comes when all is there, each file asked for once', async () => {
    const on = page();
    expect(await importWithStyles(importOf('one-a.js'), ['assets/one.css', 'assets/other.js'], on)).toBe('view');
    expect(await importWithStyles(importOf('one-a.js'), ['assets/one.css'], on)).toBe('view');
    expect(on.asked).toEqual(['/assets/one-a.js', '/assets/one.css']);
    expect(on.attach.mock.calls).toEqual([['/assets/one.css']]);
  });

  it('fails with its stylesheet, and asks for it again the next time', async () => {
    const on = page({ '/assets/two.css': [new ChunkError('styles', 'missing')] });
    await expect(importWithStyles(importOf('two.js'), ['assets/two.css'], on)).rejects.toThrow('Loading CSS chunk failed');
    expect(await importWithStyles(importOf('two.js'), ['assets/two.css'], on)).toBe('view');
    expect(on.asked).toEqual(['/assets/two.js', '/assets/two.css', '/assets/two.css']);
  });

  it('fails with what its script throws', async () => {
    await expect(importWithStyles(() => Promise.reject(new TypeError('broken')), [], page())).rejects.toThrow('broken');
  });
});

describe('a script that does not come', () => {
  it('is not imported before it is there: browsers remember an import that failed', async () => {
    const load = importOf('three.js');
    const on = page({ '/assets/three.js': [missing] });
    await expect(importWithStyles(load, [], on)).rejects.toBe(missing);
    expect(load).not.toHaveBeenCalled();
    expect(await importWithStyles(load, [], on)).toBe('view');
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('may be one that another one imports: all come first', async () => {
    const load = importOf('four.js');
    const on = page({
      '/assets/four.js': ['import{a as t}from"./four-a.js";import"./four-b_1-.js";export{t as x};', 'import"./four-b_1-.js";'],
      '/assets/four-b_1-.js': ['import"./five.js";', 'import"./five.js";'],
      '/assets/five.js': [missing],
    });
    await expect(importWithStyles(load, [], on)).rejects.toBe(missing);
    expect(load).not.toHaveBeenCalled();
    expect(on.asked).toEqual(['/assets/four.js', '/assets/four-a.js', '/assets/four-b_1-.js', '/assets/five.js']);
    expect(await importWithStyles(load, [], on)).toBe('view');
    expect(on.asked.filter((href) => href === '/assets/five.js')).toHaveLength(2);
  });

  it('is not looked for among what a script imports later or only speaks of', async () => {
    const on = page({ '/assets/six.js': ['b(()=>import(`./later.js`));c("from ./words.js");export{t as x};'] });
    await importWithStyles(importOf('six.js'), [], on);
    expect(on.asked).toEqual(['/assets/six.js']);
  });
});
