import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What `panel login` stores: both halves of the session. */
export interface StoredSession {
  authorization: string;
  cookie: { name: string; value: string };
  email: string;
  expiresAt: string;
}

const isStoredSession = (value: unknown): value is StoredSession => {
  const { authorization, cookie, email, expiresAt } = (value ?? {}) as Partial<StoredSession>;
  return (
    [authorization, cookie?.name, cookie?.value, email, expiresAt].every((text) => typeof text === 'string') &&
    !Number.isNaN(Date.parse(expiresAt ?? ''))
  );
};

/** One file for each panel, which only its owner can read, in PANEL_STATE or .cache/panel. */
export function sessionStoreOf(origin: string, env: NodeJS.ProcessEnv) {
  const name = createHash('sha256').update(`${origin} session`).digest('hex').slice(0, 16);
  const file = join(env['PANEL_STATE'] ?? '.cache/panel', `${name}.json`);
  return {
    file,
    read(): StoredSession | null {
      try {
        const stored: unknown = JSON.parse(readFileSync(file, 'utf8'));
        return isStoredSession(stored) ? stored : null;
      } catch {
        return null;
      }
    },
    save(session: StoredSession): void {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      // An existing file keeps its mode, so it is replaced.
      rmSync(file, { force: true });
      writeFileSync(file, JSON.stringify(session), { mode: 0o600, flag: 'wx' });
      chmodSync(file, 0o600);
    },
    remove: (): void => rmSync(file, { force: true }),
  };
}
