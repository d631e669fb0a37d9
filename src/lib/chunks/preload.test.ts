import { describe, expect, it } from 'vitest';
import { chunksFor } from './preload.ts';

const list = JSON.stringify({
  'zh-CN/sign-in': ['/assets/zh-sign-in.js'],
  'en-US/sign-in': ['/assets/en-sign-in.js'],
  'zh-CN': ['/assets/zh.js', '/assets/zh-sign-in.js'],
  'en-US': ['/assets/en.js', '/assets/en-sign-in.js'],
  login: ['/assets/login.js', '/assets/button.js'],
  shell: ['/assets/shell.js', '/assets/button.js'],
  home: ['/assets/home.js'],
  news: ['/assets/news.js', '/assets/table.js', '/assets/button.js'],
  statistics: ['/assets/statistics.js'],
});
const page = { path: '/', signedIn: true, locale: 'zh-CN' };

describe('the chunks a page asks for before anything else', () => {
  it.each([
    ['/', true, ['/assets/zh-sign-in.js', '/assets/zh.js', '/assets/shell.js', '/assets/button.js', '/assets/home.js']],
    [
      '/news',
      true,
      ['/assets/zh-sign-in.js', '/assets/zh.js', '/assets/shell.js', '/assets/button.js', '/assets/news.js', '/assets/table.js'],
    ],
    [
      '/statistics/dataView',
      true,
      ['/assets/zh-sign-in.js', '/assets/zh.js', '/assets/shell.js', '/assets/button.js', '/assets/statistics.js'],
    ],
    ['/selfCustody/deposit', true, ['/assets/zh-sign-in.js', '/assets/zh.js', '/assets/shell.js', '/assets/button.js']],
    ['/login', true, ['/assets/zh-sign-in.js', '/assets/login.js', '/assets/button.js']],
    ['/news', false, ['/assets/zh-sign-in.js', '/assets/login.js', '/assets/button.js']],
  ])('%s, signed in: %s', (path, signedIn, chunks) => {
    expect(chunksFor(list, { ...page, path, signedIn })).toEqual(chunks);
  });

  it('has one language only', () => {
    expect(chunksFor(list, { ...page, locale: 'en-US' })).toContain('/assets/en.js');
    expect(chunksFor(list, { ...page, locale: 'en-US' })).not.toContain('/assets/zh.js');
  });

  it('is empty without a build or with a broken list', () => {
    expect(chunksFor(undefined, page)).toEqual([]);
    expect(chunksFor('{', page)).toEqual([]);
  });
});
