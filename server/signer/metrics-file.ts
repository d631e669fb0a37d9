import { chmodSync, renameSync, writeFileSync } from 'node:fs';
import { describeError } from '../platform/core/log.ts';
import type { Services } from '../platform/services/context.ts';

/** Unix seconds. Null: not since the start. */
export interface SignerEventTimes {
  readonly start: number;
  readonly look: number | null;
  readonly proof: number | null;
}

interface SignerMetricsState {
  readonly nodes: number;
  readonly isClockRight: () => boolean;
}

/** Prometheus text format. */
export function metricsText({ start, look, proof }: SignerEventTimes, { nodes, isClockRight }: SignerMetricsState): string {
  const formatGauge = (name: string, help: string, value: number | null) =>
    `# HELP admin_panel_signer_${name} ${help}\n# TYPE admin_panel_signer_${name} gauge\n${value === null ? '' : `admin_panel_signer_${name} ${value}\n`}`;
  return [
    formatGauge('start_timestamp_seconds', 'When the signer started.', start),
    formatGauge('look_timestamp_seconds', 'When the signer last read the authority log to its end.', look),
    formatGauge('proof_timestamp_seconds', 'When the signer last signed a proof of reserve.', proof),
    formatGauge('nodes', 'RPC nodes the signer is configured with. A proof of reserve needs two.', nodes),
    formatGauge(
      'clock_right',
      '1 while the clock of the signer agrees with the database and the chain, otherwise 0.',
      isClockRight() ? 1 : 0,
    ),
    formatGauge('resident_memory_bytes', 'Memory of the signer.', process.memoryUsage.rss()),
  ].join('');
}

/**
 * A file for node_exporter's textfile collector, because the signer does not listen. The returned function records an event and
 * replaces the file.
 */
export function openMetricsFile({ log, now }: Pick<Services, 'log' | 'now'>, file: string | null, state: SignerMetricsState) {
  const nowSeconds = () => Math.round(now() / 1000);
  let eventTimes: SignerEventTimes = { start: nowSeconds(), look: null, proof: null };
  return (event: 'look' | 'proof' | null): void => {
    if (file === null) return;
    if (event !== null) eventTimes = { ...eventTimes, [event]: nowSeconds() };
    try {
      writeFileSync(`${file}.new`, metricsText(eventTimes, state));
      chmodSync(`${file}.new`, 0o644); // readable for other users regardless of the umask
      renameSync(`${file}.new`, file);
    } catch (error) {
      log.warn({ err: describeError(error) }, 'could not write the metrics file');
    }
  };
}
