import { chmodSync, renameSync, writeFileSync } from 'node:fs';
import { describeError } from '../platform/core/log.ts';
import type { Services } from '../platform/services/context.ts';

/** Unix seconds. Null: not since the start. */
export interface SignerTimes {
  readonly start: number;
  readonly look: number | null;
  readonly proof: number | null;
}

interface SignerState {
  readonly nodes: number;
  readonly isClockRight: () => boolean;
}

/** Prometheus text format. */
export function metricsText({ start, look, proof }: SignerTimes, { nodes, isClockRight }: SignerState): string {
  const gauge = (name: string, help: string, value: number | null) =>
    `# HELP admin_panel_signer_${name} ${help}\n# TYPE admin_panel_signer_${name} gauge\n${value === null ? '' : `admin_panel_signer_${name} ${value}\n`}`;
  return [
    gauge('start_timestamp_seconds', 'When the signer started.', start),
    gauge('look_timestamp_seconds', 'When the signer last read the authority log to its end.', look),
    gauge('proof_timestamp_seconds', 'When the signer last signed a proof of reserve.', proof),
    gauge('nodes', 'RPC nodes the signer is configured with. A proof of reserve needs two.', nodes),
    gauge(
      'clock_right',
      '1 while the clock of the signer agrees with the database and the chain, otherwise 0.',
      isClockRight() ? 1 : 0,
    ),
    gauge('resident_memory_bytes', 'Memory of the signer.', process.memoryUsage.rss()),
  ].join('');
}

/**
 * A file for node_exporter's textfile collector, because the signer does not listen. The returned function records an event and
 * replaces the file.
 */
export function openMetricsFile({ log, now }: Pick<Services, 'log' | 'now'>, file: string | null, state: SignerState) {
  const seconds = () => Math.round(now() / 1000);
  let moments: SignerTimes = { start: seconds(), look: null, proof: null };
  return (done: 'look' | 'proof' | null): void => {
    if (file === null) return;
    if (done !== null) moments = { ...moments, [done]: seconds() };
    try {
      writeFileSync(`${file}.new`, metricsText(moments, state));
      chmodSync(`${file}.new`, 0o644); // readable for other users regardless of the umask
      renameSync(`${file}.new`, file);
    } catch (error) {
      log.warn({ err: describeError(error) }, 'could not write the metrics file');
    }
  };
}
