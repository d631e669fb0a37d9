import { describe, expect, it } from 'vitest';
import { importWithStyles } from './import-with-styles.ts';

/** Attaches stylesheets as told, and remembers what it was asked for. */
function page(answers: Record<string, (() => Promise<void>)[]> = {}) {
  const asked: string[] = [];
  return {
    asked,
    attach: (href: string) => {
      asked.push(href);
      return (answers[href]?.shift() ?? (async () => {}))();
    },
  };
}
const view = async () => 'view';

describe('a chunk with stylesheets', () => {
  it('comes when both are there, each stylesheet asked for once', async () => {
    const { asked, attach } = page();
    expect(await importWithStyles(view, ['assets/one.css', 'assets/one.js'], attach)).toBe('view');
    expect(await importWithStyles(view, ['assets/one.css'], attach)).toBe('view');
    expect(asked).toEqual(['/assets/one.css']);
  });

  it('fails with its stylesheet, and asks for it again the next time', async () => {
    const fail = () => Promise.reject(new Error('Unable to preload CSS for /assets/two.css'));
    const { asked, attach } = page({ '/assets/two.css': [fail] });
    await expect(importWithStyles(view, ['assets/two.css'], attach)).rejects.toThrow('Unable to preload CSS');
    expect(await importWithStyles(view, ['assets/two.css'], attach)).toBe('view');
    expect(asked).toEqual(['/assets/two.css', '/assets/two.css']);
  });

  it('fails with its script', async () => {
    await expect(importWithStyles(() => Promise.reject(new TypeError('missing')))).rejects.toThrow('missing');
  });
});
