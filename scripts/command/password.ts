import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { UsageError } from './args.ts';
import { exits, ShellError } from './told.ts';

/** From standard input where that is said, else the variable, else the keyboard. */
export async function passwordOf(fromInput: boolean): Promise<string> {
  if (fromInput) {
    const given = (await text(process.stdin)).trimEnd();
    if (!given) throw new UsageError('--password-stdin: standard input is empty');
    return given;
  }
  return process.env['PANEL_PASSWORD'] || (process.stdin.isTTY ? typedPassword(process.stdin, process.stderr) : '');
}

/** From the keyboard, unseen. Who gives up instead (Ctrl-C, Ctrl-D) is not signed in, and what stands behind `&&` does not run. */
export async function typedPassword(keyboard: NodeJS.ReadableStream, prompt: NodeJS.WritableStream): Promise<string> {
  prompt.write('Password: ');
  const lines = createInterface({ input: keyboard, terminal: true });
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve);
      lines.once('close', () => reject(new ShellError('CANCELED', exits['not signed in'], 'no password was entered')));
    });
  } finally {
    lines.close();
    prompt.write('\n');
  }
}
