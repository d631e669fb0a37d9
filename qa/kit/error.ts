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
    aimed = '',
  ) {
    const request = requestId ? ` (request ${requestId})` : '';
    super(`${command}${aimed}: ${code}${message && message !== code ? `: ${message}` : ''}${request}`);
    this.command = command;
    this.code = code;
    this.reason = reason ?? null;
    this.issues = issues ?? [];
    this.data = data ?? null;
    this.current = current ?? null;
    this.requestId = requestId ?? null;
  }
}

/** Null for equal versions. `breaks`: incompatible. */
export function versionWords(panel: string, kit: string = version): { message: string; breaks: boolean } | null {
  if (!panel || panel === kit) return null;
  const parts = (text: string) => text.split('.').map((part) => Number.parseInt(part, 10) || 0);
  const [ours, theirs] = [parts(kit), parts(panel)];
  const at = [0, 1, 2].find((index) => ours[index] !== theirs[index]) ?? 2;
  const isOlder = (ours[at] ?? 0) < (theirs[at] ?? 0);
  const message = `@admin-panel/qa is ${kit}, ${isOlder ? 'older' : 'newer'} than the panel (${panel}). Install @admin-panel/qa@${panel}`;
  // npm's rule before 1.0.
  return { message, breaks: at === 0 || (at === 1 && ours[0] === 0) };
}
