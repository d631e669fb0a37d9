import { beforeEach, describe, expect, it } from 'vitest';
import { dropDraft, readDraft, saveDraft } from './drafts.ts';
import { $loginEmail } from '../session/session.ts';

const day = 24 * 3600_000;
const draft = { values: { title: 'Two' }, base: { title: 'One' } };

function createStorage(): Storage {
  const storedItems = new Map<string, string>();
  const storage = {
    getItem: (key: string) => storedItems.get(key) ?? null,
    setItem: (key: string, value: string) => {
      storedItems.set(key, value);
      Object.assign(storage, { [key]: value });
    },
    removeItem: (key: string) => {
      storedItems.delete(key);
      delete (storage as Record<string, unknown>)[key];
    },
  };
  return storage as unknown as Storage;
}

beforeEach(() => {
  Object.assign(globalThis, { localStorage: createStorage() });
  $loginEmail.set('a@example.com');
});

describe('drafts', () => {
  it('are restored until deleted', () => {
    expect(readDraft('news.add')).toBeNull();
    saveDraft('news.add', draft, 1000);
    expect(readDraft('news.add', 2000)).toEqual({ at: 1000, ...draft });
    dropDraft('news.add');
    expect(readDraft('news.add', 2000)).toBeNull();
  });

  it('are private to a person on a shared browser', () => {
    saveDraft('news.add', draft, 1000);
    $loginEmail.set('b@example.com');
    expect(readDraft('news.add', 1000)).toBeNull();
    $loginEmail.set('a@example.com');
    expect(readDraft('news.add', 1000)).not.toBeNull();
  });

  it('expire after thirty days, for every person', () => {
    saveDraft('old', draft, 0);
    expect(readDraft('old', 31 * day)).toBeNull();
    saveDraft('young', draft, 20 * day);
    $loginEmail.set('b@example.com');
    localStorage.setItem('prefs.theme', 'dark');
    localStorage.setItem('drafts.b.broken', '{');
    saveDraft('new', draft, 31 * day);
    const remainingKeys = Object.keys(localStorage).filter((key) => key.includes('.'));
    expect(remainingKeys.toSorted()).toEqual(['drafts.a@example.com.young', 'drafts.b@example.com.new', 'prefs.theme']);
  });

  it('that are corrupt count as missing', () => {
    for (const text of [
      '{',
      'null',
      '[]',
      '{"at":"x","values":{},"base":{}}',
      '{"at":1,"values":[],"base":{}}',
      '{"at":1,"values":{}}',
    ]) {
      localStorage.setItem('drafts.a@example.com.k', text);
      expect(readDraft('k', 1)).toBeNull();
    }
  });
});
