import { describe, expect, it, vi } from 'vitest';
import { importWithStyles } from './import-with-styles.ts';
import { ChunkError } from './loader.ts';

const missingChunkError = new ChunkError('chunk', 'missing');

/** `errorsByFile`: the errors of each file, one per attempt. Records requests: a script by name, a reload past the cache with `!`. */
function createPage(errorsByFile: Record<string, Error[]> = {}, imports: Record<string, string[]> = {}) {
  const requestedFiles: string[] = [];
  const findError = (href: string) => errorsByFile[href]?.[0];
  return {
    asked: requestedFiles,
    importsOf: (href: string) => imports[href] ?? [],
    link: async (href: string) => {
      requestedFiles.push(href);
      return !findError(href);
    },
    download: async (href: string) => {
      requestedFiles.push(`${href}!`);
      const error = findError(href);
      errorsByFile[href]?.shift();
      if (error) throw error;
    },
  };
}

/** A dynamic import as the build writes it, counting its calls. */
function createImport(file: string, ...errors: Error[]) {
  const importFile = vi.fn(async () => {
    const error = errors.shift();
    if (error) throw error;
    return 'view';
  });
  return Object.assign(importFile, { toString: () => `async()=>{let{View:e}=await import(\`./${file}\`);return{View:e}}` });
}

describe('a chunk with stylesheets', () => {
  it('is imported when all files have loaded, each requested once', async () => {
    const testPage = createPage();
    expect(await importWithStyles(createImport('one-a.js'), ['assets/one.css', 'assets/other.js'], testPage)).toBe('view');
    expect(await importWithStyles(createImport('one-a.js'), ['assets/one.css'], testPage)).toBe('view');
    expect(testPage.asked).toEqual(['/assets/one-a.js', '/assets/one.css']);
  });

  it('fails if its stylesheet fails, and requests it again the next time', async () => {
    const testPage = createPage({ '/assets/two.css': [new ChunkError('styles', 'missing')] });
    await expect(importWithStyles(createImport('two.js'), ['assets/two.css'], testPage)).rejects.toThrow(
      'Loading CSS chunk failed',
    );
    expect(await importWithStyles(createImport('two.js'), ['assets/two.css'], testPage)).toBe('view');
    expect(testPage.asked).toEqual([
      '/assets/two.js',
      '/assets/two.css',
      '/assets/two.css!',
      '/assets/two.css!',
      '/assets/two.css',
    ]);
  });

  it('fails with the error of its script', async () => {
    await expect(importWithStyles(() => Promise.reject(new TypeError('broken')), [], createPage())).rejects.toThrow('broken');
  });
});

describe('a script that fails to load', () => {
  it('is not imported, because browsers cache a failed import', async () => {
    const importFile = createImport('three.js');
    const testPage = createPage({ '/assets/three.js': [missingChunkError] });
    await expect(importWithStyles(importFile, [], testPage)).rejects.toBe(missingChunkError);
    expect(importFile).not.toHaveBeenCalled();
    expect(await importWithStyles(importFile, [], testPage)).toBe('view');
    expect(importFile).toHaveBeenCalledTimes(1);
    expect(testPage.asked).toEqual(['/assets/three.js', '/assets/three.js!', '/assets/three.js!']);
  });

  it('may be an import of another, so all imports load first', async () => {
    const importFile = createImport('four.js');
    const imports = {
      '/assets/four.js': ['/assets/four-a.js', '/assets/four-b.js'],
      '/assets/four-a.js': ['/assets/four-b.js'],
      '/assets/four-b.js': ['/assets/five.js'],
    };
    const testPage = createPage({ '/assets/five.js': [missingChunkError] }, imports);
    await expect(importWithStyles(importFile, [], testPage)).rejects.toBe(missingChunkError);
    expect(importFile).not.toHaveBeenCalled();
    expect(testPage.asked).toEqual(
      ['four', 'four-a', 'four-b', 'five', 'five'].map((name) => `/assets/${name}.js`).with(4, '/assets/five.js!'),
    );
    expect(await importWithStyles(importFile, [], testPage)).toBe('view');
    expect(testPage.asked.slice(5)).toContain('/assets/five.js!');
  });

  it('is imported if a later check finds it', async () => {
    const testPage = createPage();
    let isFirstRequest = true;
    testPage.link = async () => !isFirstRequest || (isFirstRequest = false);
    expect(await importWithStyles(createImport('six.js'), [], testPage)).toBe('view');
    expect(testPage.asked).toEqual(['/assets/six.js!']);
  });
});

describe('a script with invalid content', () => {
  const importError = new TypeError('Failed to fetch dynamically imported module');

  it('is downloaded with its imports to report the wrong content type', async () => {
    const testPage = createPage({}, { '/assets/seven.js': ['/assets/seven-a.js'] });
    const htmlResponseError = new ChunkError('chunk', 'text/html');
    testPage.download = async (href) => {
      testPage.asked.push(`${href}!`);
      if (href === '/assets/seven-a.js') throw htmlResponseError;
    };
    await expect(importWithStyles(createImport('seven.js', importError), [], testPage)).rejects.toBe(htmlResponseError);
    expect(testPage.asked).toEqual(['/assets/seven.js', '/assets/seven-a.js', '/assets/seven.js!', '/assets/seven-a.js!']);
  });

  it('fails with its original error if the files are fine by then', async () => {
    await expect(importWithStyles(createImport('eight.js', importError), [], createPage())).rejects.toBe(importError);
  });

  it('is not downloaded again if it failed while running', async () => {
    const testPage = createPage();
    await expect(importWithStyles(createImport('nine.js', new SyntaxError('cut short')), [], testPage)).rejects.toThrow(
      SyntaxError,
    );
    expect(testPage.asked).toEqual(['/assets/nine.js']);
  });
});
