/** What a file's tests have begun, ended in the other order. */
const begun: (() => Promise<void>)[] = [];

/** Runs when the file's tests are done, wherever it is said: Vitest forgets an `afterAll` that is called inside a hook or a test. */
export const atEnd = (end: () => Promise<void>): void => void begun.push(end);

export async function endAll(): Promise<void> {
  for (const end of begun.splice(0).reverse()) await end();
}
