import type { CommandError } from '../../src/commands/engine/command-error.ts';
import type { DispatchOutcome } from '../../src/commands/engine/dispatch/interface.ts';
import { toScriptResult, buildScriptRefusal } from '../../src/commands/app/script-result.ts';

/** Exit codes. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  refused: 3,
  conflict: 4,
  partly: 5,
  unreachable: 6,
  'not signed in': 7,
} as const;
export type Exit = (typeof exitCodes)[keyof typeof exitCodes];

/** The printed result of a command. */
export interface CommandOutput {
  exit: Exit;
  json: { status: 'done' | 'canceled' | 'failed'; code?: string; message?: string } & Record<string, unknown>;
}

/** An error before the command ran. */
export class ShellError extends Error {
  override name = 'ShellError';
  readonly code: string;
  readonly exit: Exit;
  constructor(code: string, exit: Exit, message: string) {
    super(message);
    this.code = code;
    this.exit = exit;
  }
}

export async function toCommandOutput(outcome: DispatchOutcome, id: string): Promise<CommandOutput> {
  if (outcome.status === 'canceled') return { exit: exitCodes.failed, json: { status: 'canceled' } };
  if (outcome.status === 'failed')
    return { exit: exitOf(outcome.error), json: { status: 'failed', ...(await buildScriptRefusal(outcome.error, id)) } };
  const scriptResult = toScriptResult(outcome.result);
  const { ran, undo } = outcome;
  return {
    exit: scriptResult.failed.length > 0 ? exitCodes.partly : exitCodes.done,
    json: { status: 'done', ...scriptResult, ran, ...(undo ? { undo } : {}) },
  };
}

export const toFailedOutput = (error: unknown): CommandOutput => {
  const { code, exit } = error instanceof ShellError ? error : { code: 'ERROR', exit: exitCodes.failed };
  return { exit, json: { status: 'failed', code, message: error instanceof Error ? error.message : String(error) } };
};

const refusals: ReadonlySet<string> = new Set(['NOT_PERMITTED', 'BLOCKED', 'UNCONFIRMED', 'NOT_HERE', 'NOT_FOR_SERVICES']);

function exitOf({ code }: CommandError): Exit {
  if (code === 'INVALID' || code === 'UNKNOWN_COMMAND') return exitCodes.usage;
  if (refusals.has(code)) return exitCodes.refused;
  if (code === 'UNAUTHORIZED') return exitCodes['not signed in'];
  if (code === 'OFFLINE' || code === 'LOST') return exitCodes.unreachable;
  return code === 'CONFLICT' ? exitCodes.conflict : exitCodes.failed;
}

/** JUnit XML. */
export function junitOf(cases: readonly { name: string; seconds: number; output: CommandOutput }[]): string {
  const failedCases = cases.filter(({ output }) => output.exit !== exitCodes.done);
  const body = cases.map(({ name, seconds, output: { exit, json } }) => {
    const openingTag = `  <testcase classname="panel" name="${escapeXml(name)}" time="${seconds.toFixed(3)}"`;
    if (exit === exitCodes.done) return `${openingTag}/>`;
    const messageText = escapeXml(json.message ?? json.status);
    const type = escapeXml(json.code ?? (exit === exitCodes.partly ? 'PARTLY' : 'FAILED'));
    return `${openingTag}>\n    <failure type="${type}" message="${messageText}">${escapeXml(JSON.stringify(json))}</failure>\n  </testcase>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="panel" tests="${cases.length}" failures="${failedCases.length}">\n${body.join('\n')}\n</testsuite>\n`;
}

const escapeXml = (text: string): string =>
  text
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
