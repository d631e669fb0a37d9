import { afterEach, expect, test } from 'vitest';
import { $batch, dismissBatch, reportBatch, runBatch, stopBatch, type BatchStep } from './batch.ts';
import { $loginEmail } from './session/session.ts';

const records = ['a', 'b', 'c'].map((id) => ({ id, name: id.toUpperCase() }));
const doneStep: BatchStep = { state: 'done', note: '0x1' };

afterEach(() => $loginEmail.set(''));

test('a batch runs one record after another and keeps its report until dismissed', async () => {
  const order: string[] = [];
  const rows = await runBatch('crsm.claimYield', records, async ({ id }) => {
    order.push(`${id} begins`);
    await Promise.resolve();
    order.push(`${id} ends`);
    return id === 'b' ? { state: 'failed', note: 'no' } : doneStep;
  });
  expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  expect(rows.map(({ state, note }) => [state, note])).toEqual([
    ['done', '0x1'],
    ['failed', 'no'],
    ['done', '0x1'],
  ]);
  expect($batch.get()?.isRunning).toBe(false);
  dismissBatch();
  expect($batch.get()).toBeNull();
});

test('a batch that is stopped by hand or by a step finishes the current record and starts no other', async () => {
  const startedRecords: string[] = [];
  const resolveManually = await runBatch('crsm.claimYield', records, async ({ id }) => {
    startedRecords.push(id);
    if (id === 'b') stopBatch();
    dismissBatch(); // ignored while running
    return doneStep;
  });
  expect(startedRecords).toEqual(['a', 'b']);
  expect(resolveManually.map(({ state }) => state)).toEqual(['done', 'done', 'skipped']);
  const stepByName = await runBatch('crsm.claimYield', records, async () => ({ state: 'failed', note: 'rejected', stop: true }));
  expect(stepByName.map(({ state }) => state)).toEqual(['failed', 'skipped', 'skipped']);
});

test('an error in one record ends the batch', async () => {
  await expect(
    runBatch('crsm.claimYield', records, async () => {
      throw new Error('factor');
    }),
  ).rejects.toThrow('factor');
  expect($batch.get()?.isRunning).toBe(false);
  expect($batch.get()?.rows.map(({ state }) => state)).toEqual(['skipped', 'skipped', 'skipped']);
});

test('signing in as another person stops the batch and hides its report', async () => {
  $loginEmail.set('one@demo.local');
  reportBatch({ command: 'crsm.claimYield', rows: [] });
  $loginEmail.set('');
  expect($batch.get()).toBeNull();

  $loginEmail.set('one@demo.local');
  const startedRecords: string[] = [];
  let resolveRequest = () => {};
  const run = runBatch('crsm.claimYield', records, async ({ id }) => {
    startedRecords.push(id);
    await new Promise<void>((resolve) => (resolveRequest = resolve));
    return doneStep;
  });
  $loginEmail.set('');
  $loginEmail.set('other@demo.local');
  expect($batch.get()).toBeNull();
  const otherBatch = runBatch('crsm.claimYield', records, async () => doneStep);
  resolveRequest();
  await expect(run).rejects.toThrow('has signed out');
  expect((await otherBatch).map(({ state }) => state)).toEqual(['done', 'done', 'done']);
  expect($batch.get()?.rows.map(({ state }) => state)).toEqual(['done', 'done', 'done']);
  expect(startedRecords).toEqual(['a']);
});
