import { describe, expect, it, vi } from 'vitest';
import { importWithStyles } from './import-with-styles.ts';
import { ChunkError } from './loader.ts';

const missing = new ChunkError('chunk', 'missing');

/** `lacking`: the errors of each file, one per attempt. Records requests: a script by name, a reload past the cache with `!`. */
function page(lacking: Record<string, Error[]> = {}, imports: Record<string, string[]> = {}) {
  const requested: string[] = [];
  const why = (href: string) => lacking[href]?.[0];
  return {
    asked: requested,
    importsOf: (href: string) => imports[href] ?? [],
    link: async (href: string) => {
      requested.push(href);
      return !why(href);
    },
    download: async (href: string) => {
      requested.push(`${href}!`);
      const error = why(href);
      lacking[href]?.shift();
      if (error) throw error;
    },
  };
}

/** A dynamic import as the build writes it, counting its calls. */
function importOf(file: string, ...errors: Error[]) {
  const load = vi.fn(async () => {
    const error = errors.shift();
    if (error) throw error;
    return 'view';
  });
  return Object.assign(load, { toString: () => `async()=>{let{View:e}=await import(\`./${file}\`);return{View:e}}` });
}

describe('a chunk with stylesheets', () => {
  it('is imported when all files have loaded, each requested once', async () => {
    const on = page();
    expect(await importWithStyles(importOf('one-a.js'), ['assets/one.css', 'assets/other.js'], on)).toBe('view');
    expect(await importWithStyles(importOf('one-a.js'), ['assets/one.css'], on)).toBe('view');
    expect(on.asked).toEqual(['/assets/one-a.js', '/assets/one.css']);
  });

  it('fails if its stylesheet fails, and requests it again the next time', async () => {
    const on = page({ '/assets/two.css': [new ChunkError('styles', 'missing')] });
    await expect(importWithStyles(importOf('two.js'), ['assets/two.css'], on)).rejects.toThrow('Loading CSS chunk failed');
    expect(await importWithStyles(importOf('two.js'), ['assets/two.css'], on)).toBe('view');
    expect(on.asked).toEqual(['/assets/two.js', '/assets/two.css', '/assets/two.css!', '/assets/two.css!', '/assets/two.css']);
  });

  it('fails with the error of its script', async () => {
    await expect(importWithStyles(() => Promise.reject(new TypeError('broken')), [], page())).rejects.toThrow('broken');
  });
});

describe('a script that fails to load', () => {
  it('is not imported, because browsers cache a failed import', async () => {
    const load = importOf('three.js');
    const on = page({ '/assets/three.js': [missing] });
    await expect(importWithStyles(load, [], on)).rejects.toBe(missing);
    expect(load).not.toHaveBeenCalled();
    expect(await importWithStyles(load, [], on)).toBe('view');
    expect(load).toHaveBeenCalledTimes(1);
    expect(on.asked).toEqual(['/assets/three.js', '/assets/three.js!', '/assets/three.js!']);
  });

  it('may be an import of another, so all imports load first', async () => {
    const load = importOf('four.js');
    const imports = {
      '/assets/four.js': ['/assets/four-a.js', '/assets/four-b.js'],
      '/assets/four-a.js': ['/assets/four-b.js'],
      '/assets/four-b.js': ['/assets/five.js'],
    };
    const on = page({ '/assets/five.js': [missing] }, imports);
    await expect(importWithStyles(load, [], on)).rejects.toBe(missing);
    expect(load).not.toHaveBeenCalled();
    expect(on.asked).toEqual(
      ['four', 'four-a', 'four-b', 'five', 'five'].map((name) => `/assets/${name}.js`).with(4, '/assets/five.js!'),
    );
    expect(await importWithStyles(load, [], on)).toBe('view');
    expect(on.asked.slice(5)).toContain('/assets/five.js!');
  });

  it('is imported if a later check finds it', async () => {
    const on = page();
    let isFirst = true;
    on.link = async () => !isFirst || (isFirst = false);
    expect(await importWithStyles(importOf('six.js'), [], on)).toBe('view');
    expect(on.asked).toEqual(['/assets/six.js!']);
  });
});

describe('a script with invalid content', () => {
  const refused = new TypeError('Failed to fetch dynamically imported module');

  it('is downloaded with its imports to report the wrong content type', async () => {
    const on = page({}, { '/assets/seven.js': ['/assets/seven-a.js'] });
    const isPage = new ChunkError('chunk', 'text/html');
    on.download = async (href) => {
      on.asked.push(`${href}!`);
      if (href === '/assets/seven-a.js') throw isPage;
    };
    await expect(importWithStyles(importOf('seven.js', refused), [], on)).rejects.toBe(isPage);
    expect(on.asked).toEqual(['/assets/seven.js', '/assets/seven-a.js', '/assets/seven.js!', '/assets/seven-a.js!']);
  });

  it('fails with its original error if the files are fine by then', async () => {
    await expect(importWithStyles(importOf('eight.js', refused), [], page())).rejects.toBe(refused);
  });

  it('is not downloaded again if it failed while running', async () => {
    const on = page();
    await expect(importWithStyles(importOf('nine.js', new SyntaxError('cut short')), [], on)).rejects.toThrow(SyntaxError);
    expect(on.asked).toEqual(['/assets/nine.js']);
  });
});
