import { describe, expect, it } from 'vitest';
import { findChunks, type ChunkList } from './list.ts';

const list: ChunkList = {
  'zh-CN/sign-in': ['/assets/zh-sign-in.js'],
  'en-US/sign-in': ['/assets/en-sign-in.js'],
  'zh-CN': ['/assets/zh.js'],
  'en-US': ['/assets/en.js'],
  login: ['/assets/login.js'],
  shell: ['/assets/shell.js'],
  home: ['/assets/home.js'],
  news: ['/assets/news.js'],
  statistics: ['/assets/statistics.js'],
  '/assets/zh.js': ['/assets/zh-sign-in.js'],
  '/assets/en.js': ['/assets/en-sign-in.js'],
  '/assets/login.js': ['/assets/button.js'],
  '/assets/shell.js': ['/assets/button.js'],
  '/assets/news.js': ['/assets/table.js'],
  '/assets/table.js': ['/assets/button.js', '/assets/rows.js'],
};
const page = { path: '/', signedIn: true, locale: 'zh-CN' };
const files = (...names: string[]) => names.map((name) => `/assets/${name}.js`);

describe('the list of chunks that a page needs first', () => {
  it.each([
    ['/', true, files('zh-sign-in', 'zh', 'shell', 'button', 'home')],
    ['/news', true, files('zh-sign-in', 'zh', 'shell', 'button', 'news', 'table', 'rows')],
    ['/statistics/dataView', true, files('zh-sign-in', 'zh', 'shell', 'button', 'statistics')],
    ['/selfCustody/deposit', true, files('zh-sign-in', 'zh', 'shell', 'button')],
    ['/login', true, files('zh-sign-in', 'login', 'button')],
    ['/news', false, files('zh-sign-in', 'login', 'button')],
  ])('for %s, signed in: %s', (path, signedIn, chunks) => {
    expect([...findChunks(list, { ...page, path, signedIn })]).toEqual(chunks);
  });

  it('contains one language only', () => {
    const chunks = findChunks(list, { ...page, locale: 'en-US' });
    expect(chunks).toContain('/assets/en.js');
    expect(chunks).not.toContain('/assets/zh.js');
  });

  it('is empty without a build', () => {
    expect(findChunks({}, page).size).toBe(0);
  });
});
