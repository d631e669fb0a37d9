import type pg from 'pg';
import { version } from '../core/version.ts';

export type Maintenance = 'audit-verify' | 'backup';

export async function recordMaintenance(client: pg.Client, kind: Maintenance, succeeded: boolean): Promise<string | null> {
  try {
    await client.query(
      `insert into maintenance_runs (kind, at, succeeded, version) values ($1, now(), $2, $3)
         on conflict (kind) do update set at = excluded.at, succeeded = excluded.succeeded, version = excluded.version`,
      [kind, succeeded, version],
    );
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
