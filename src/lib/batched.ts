/** Server limit for one call. */
const most = 200;

/** Combines the keys of one render into one call. Null for keys whose call failed. */
export function batched<T>(ask: (keys: string[]) => Promise<ReadonlyMap<string, T>>): (key: string) => Promise<T | null> {
  let waiting: { key: string; answer: (found: T | null) => void }[] = [];
  function askAll(): void {
    const asked = waiting;
    waiting = [];
    for (let from = 0; from < asked.length; from += most) void answer(asked.slice(from, from + most));
  }
  async function answer(asked: typeof waiting): Promise<void> {
    const found = await ask(asked.map(({ key }) => key)).catch(() => new Map<string, T>());
    for (const { key, answer: done } of asked) done(found.get(key) ?? null);
  }
  return (key) =>
    new Promise((answerOne) => {
      waiting.push({ key, answer: answerOne });
      if (waiting.length === 1) setTimeout(askAll, 0);
    });
}
