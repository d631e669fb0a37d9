import { version } from './commands.ts';

/** What the page tells of a refusal. */
export interface Refusal {
  code: string;
  message: string;
  reason: string | null;
  issues: readonly { path: string; rule: string }[];
  data: unknown;
  current: unknown;
  requestId: string | null;
}

/** Why a command did not run: a code to judge by, words to read, and all that the panel said with it. */
export class PanelError extends Error {
  override name = 'PanelError';
  readonly command: string;
  readonly code: string;
  /** Which of the reasons of a BLOCKED it is, whatever the page's language: 'news.blocked.shown'. */
  readonly reason: string | null;
  /** The parameters that are wrong, each by its name. */
  readonly issues: Refusal['issues'];
  readonly data: unknown;
  /** The record as it is now, of a CONFLICT. */
  readonly current: unknown;
  /** What the server's log and audit know it by. */
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

/** What there is to say of a kit and a panel of different versions; null where they are of one. `breaks`: they may not be used together. */
export function versionWords(panel: string, kit: string = version): { says: string; breaks: boolean } | null {
  if (!panel || panel === kit) return null;
  const parts = (text: string) => text.split('.').map((part) => Number.parseInt(part, 10) || 0);
  const [ours, theirs] = [parts(kit), parts(panel)];
  const at = [0, 1, 2].find((index) => ours[index] !== theirs[index]) ?? 2;
  const isOlder = (ours[at] ?? 0) < (theirs[at] ?? 0);
  const says = `@admin-panel/qa is ${kit}, ${isOlder ? 'older' : 'newer'} than the panel (${panel}). Install @admin-panel/qa@${panel}`;
  // Before 1.0 the second number is the one that breaks, as npm has it.
  return { says, breaks: at === 0 || (at === 1 && ours[0] === 0) };
}
