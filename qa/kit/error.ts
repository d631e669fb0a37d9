import { version } from './commands.ts';

export interface Refusal {
  code: string;
  message: string;
  reason: string | null;
  issues: readonly { path: string; rule: string }[];
  data: unknown;
  current: unknown;
  requestId: string | null;
}

export class PanelError extends Error {
  override name = 'PanelError';
  readonly command: string;
  readonly code: string;
  /** Dictionary key of a BLOCKED reason: 'news.blocked.shown'. */
  readonly reason: string | null;
  /** By parameter name. */
  readonly issues: Refusal['issues'];
  readonly data: unknown;
  /** The current record of a CONFLICT. */
  readonly current: unknown;
  /** As in the server's log. */
  readonly requestId: string | null;
  constructor(
    command: string,
    { code, message, reason, issues, data, current, requestId }: Partial<Refusal> & { code: string },
    targetText = '',
  ) {
    const request = requestId ? ` (request ${requestId})` : '';
    super(`${command}${targetText}: ${code}${message && message !== code ? `: ${message}` : ''}${request}`);
    this.command = command;
    this.code = code;
    this.reason = reason ?? null;
    this.issues = issues ?? [];
    this.data = data ?? null;
    this.current = current ?? null;
    this.requestId = requestId ?? null;
  }
}

/** For the text of an error. */
export function describeTargets(ids: readonly string[]): string {
  if (ids.length === 0) return '';
  return ids.length > 3 ? ` on ${ids.length} records` : ` on ${ids.join(', ')}`;
}

/** Null for equal versions. `breaks`: incompatible. */
export function versionMismatch(panel: string, kit: string = version): { message: string; breaks: boolean } | null {
  if (!panel || panel === kit) return null;
  const parts = (text: string) => text.split('.').map((part) => Number.parseInt(part, 10) || 0);
  const [kitParts, panelParts] = [parts(kit), parts(panel)];
  const differingIndex = [0, 1, 2].find((index) => kitParts[index] !== panelParts[index]) ?? 2;
  const isOlder = (kitParts[differingIndex] ?? 0) < (panelParts[differingIndex] ?? 0);
  const message = `@admin-panel/qa is ${kit}, ${isOlder ? 'older' : 'newer'} than the panel (${panel}). Install @admin-panel/qa@${panel}`;
  // npm's rule before 1.0.
  return { message, breaks: differingIndex === 0 || (differingIndex === 1 && kitParts[0] === 0) };
}
