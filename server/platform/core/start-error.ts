/** A reason not to start that the operator can act on: shown as one line, without a stack. */
export class StartError extends Error {
  override name = 'StartError';
  constructor(message: string) {
    super(asSentence(message));
  }
}

/** With a full stop: problems are worded without one where more may follow. */
export const asSentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`);

/** What a system call does, where its name is no verb that people use. */
const verbs: Readonly<Record<string, string>> = { mkdir: 'create', scandir: 'read', unlink: 'delete', link: 'create' };

const remedies: Readonly<Record<string, string>> = {
  EACCES: 'Give the user that runs the panel access to this path.',
  EPERM: 'Give the user that runs the panel access to this path.',
  EROFS: 'The file system is read-only. Make it writable or choose another folder.',
  ENOENT: 'Check the path.',
  ENOTDIR: 'Check the path.',
  EISDIR: 'Name a file instead of a folder.',
  EEXIST: 'Something else has this name. Choose another path.',
  ENOSPC: 'The disk is full. Free some space and start again.',
  EDQUOT: 'The disk quota is used up. Free some space and start again.',
};

/** Why a file or folder cannot be used, in one line that says what to do; null: it is something else. */
export function fileProblem(error: unknown): StartError | null {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error) || error.syscall === 'connect') return null;
  const { code, syscall } = error;
  const remedy = typeof code === 'string' ? remedies[code] : undefined;
  if (remedy === undefined) return null;
  const path = 'path' in error && typeof error.path === 'string' ? ` ${error.path}` : '';
  return new StartError(`Can’t ${verbs[String(syscall)] ?? String(syscall)}${path} (${String(code)}). ${remedy}`);
}
