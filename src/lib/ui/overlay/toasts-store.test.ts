import { beforeEach, describe, expect, it } from 'vitest';
import { $toasts, dropToast, showToast } from './toasts-store.ts';

beforeEach(() => $toasts.set([]));

describe('toasts', () => {
  it('are at most three, the newest last', () => {
    for (const text of ['1', '2', '3', '4']) showToast({ kind: 'success', text });
    expect($toasts.get().map(({ text }) => text)).toEqual(['2', '3', '4']);
  });

  it('drop a success before an error, which stays until closed', () => {
    showToast({ kind: 'error', text: 'failed' });
    for (const text of ['1', '2', '3']) showToast({ kind: 'success', text });
    expect($toasts.get().map(({ text }) => text)).toEqual(['failed', '2', '3']);
    for (const text of ['e1', 'e2', 'e3']) showToast({ kind: 'error', text });
    expect($toasts.get().map(({ text }) => text)).toEqual(['e1', 'e2', 'e3']);
  });

  it('show a repeated error once', () => {
    for (const text of ['a', 'b', 'a']) showToast({ kind: 'blocked', text });
    expect($toasts.get().map(({ text }) => text)).toEqual(['b', 'a']);
  });

  it('are closed by id', () => {
    const id = showToast({ kind: 'blocked', text: 'a' });
    showToast({ kind: 'success', text: 'b' });
    dropToast(id);
    expect($toasts.get().map(({ text }) => text)).toEqual(['b']);
  });
});
