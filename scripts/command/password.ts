import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { UsageError } from './args.ts';
import { exitCodes, ShellError } from './command-output.ts';

/** From standard input if requested, else the variable, else the keyboard. */
export async function readPassword(isFromInput: boolean): Promise<string> {
  if (isFromInput) {
    const inputPassword = (await text(process.stdin)).trimEnd();
    if (!inputPassword) throw new UsageError('--password-stdin: standard input is empty');
    return inputPassword;
  }
  return process.env['PANEL_PASSWORD'] || (process.stdin.isTTY ? promptPassword(process.stdin, process.stderr) : '');
}

/** Without echo. Ctrl-C or Ctrl-D must stop a shell's `&&`. */
export async function promptPassword(keyboard: NodeJS.ReadableStream, prompt: NodeJS.WritableStream): Promise<string> {
  prompt.write('Password: ');
  const lines = createInterface({ input: keyboard, terminal: true });
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve);
      lines.once('close', () => reject(new ShellError('CANCELED', exitCodes['not signed in'], 'no password was entered')));
    });
  } finally {
    lines.close();
    prompt.write('\n');
  }
}
