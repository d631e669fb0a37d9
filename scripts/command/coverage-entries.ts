// Which commands a run used, by account and surface.

/** An entry of the kit's log (qa/kit/log.ts). */
export interface CoverageEntry {
  command: string;
  how: string;
  as: string;
  outcome: string;
}

export interface CoverageWorker {
  email: string;
  granted: readonly string[];
}

export interface Coverage {
  commands: number;
  /** Commands that succeeded at least once, even in part. */
  given: number;
  percent: number;
  accounts: readonly { email: string; offered: number; ran: number; refused: number }[];
  /** Commands by surface: script, palette, key, button, menu … */
  surfaces: Readonly<Record<string, number>>;
  rows: readonly {
    id: string;
    permission: string;
    /** By account: uses by surface and refusals. Null: not permitted and not tried. */
    by: Readonly<Record<string, CoverageCell | null>>;
  }[];
}

export interface CoverageCell {
  done: Readonly<Record<string, number>>;
  refused: number;
}

/** A sign-in by hand. */
const unknown = '?';

export function commandCoverage(
  commands: readonly { id: string; permission: string }[],
  logs: readonly { entries: readonly CoverageEntry[]; workers: readonly CoverageWorker[] }[],
): Coverage {
  const knownIds = new Set(commands.map(({ id }) => id));
  const entries = logs.flatMap((log) => log.entries).filter(({ command }) => knownIds.has(command));
  const permissionsByEmail = new Map<string, Set<string>>();
  for (const worker of logs.flatMap(({ workers }) => workers))
    permissionsByEmail.set(worker.email, new Set([...(permissionsByEmail.get(worker.email) ?? []), ...worker.granted]));
  const emails = [...new Set([...permissionsByEmail.keys(), ...entries.map(({ as }) => as || unknown)])].toSorted();
  const isOffered = (permission: string, email: string) =>
    permission === 'anyone' || (permissionsByEmail.get(email)?.has(permission) ?? false);
  const rows = commands.map(({ id, permission }) => {
    const commandEntries = entries.filter(({ command }) => command === id);
    const cellOf = (email: string): CoverageCell | null => {
      const accountEntries = commandEntries.filter(({ as }) => (as || unknown) === email);
      if (accountEntries.length === 0 && !isOffered(permission, email)) return null;
      const successfulEntries = accountEntries.filter(({ outcome }) => outcome === 'done' || outcome === 'partly');
      const attemptedEntries = accountEntries.filter(({ outcome }) => outcome !== 'canceled' && outcome !== 'opened'); // neither succeeded nor was refused
      return {
        done: countBy(successfulEntries.map(({ how }) => how)),
        refused: attemptedEntries.length - successfulEntries.length,
      };
    };
    return { id, permission, by: Object.fromEntries(emails.map((email) => [email, cellOf(email)])) };
  });
  const coveredCount = rows.filter(({ by }) => Object.values(by).some(isDone)).length;
  return {
    commands: commands.length,
    given: coveredCount,
    percent: Math.round((coveredCount / Math.max(1, commands.length)) * 1000) / 10,
    accounts: emails.map((email) => ({
      email,
      offered: commands.filter(({ permission }) => isOffered(permission, email)).length,
      ran: rows.filter(({ by }) => isDone(by[email] ?? null)).length,
      refused: rows.reduce((sum, { by }) => sum + (by[email]?.refused ?? 0), 0),
    })),
    surfaces: countBy(
      rows.flatMap(({ by }) => [...new Set(Object.values(by).flatMap((cell) => (cell ? Object.keys(cell.done) : [])))]),
    ),
    rows,
  };
}

const isDone = (cell: CoverageCell | null): boolean => cell !== null && Object.keys(cell.done).length > 0;

const countBy = (values: readonly string[]): Record<string, number> =>
  Object.fromEntries([...new Set(values)].toSorted().map((value) => [value, values.filter((other) => other === value).length]));
