/** Shown as one line without a stack. */
export class StartError extends Error {
  override name = 'StartError';
  constructor(message: string) {
    super(addFullStop(message));
  }
}

export const addFullStop = (text: string): string => (text.endsWith('.') ? text : `${text}.`);

const verbBySyscall: Readonly<Record<string, string>> = { mkdir: 'create', scandir: 'read', unlink: 'delete', link: 'create' };

const remedyByCode: Readonly<Record<string, string>> = {
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

/** Null for other errors. */
export function describeFileProblem(error: unknown): StartError | null {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error) || error.syscall === 'connect') return null;
  const { code, syscall } = error;
  const remedy = typeof code === 'string' ? remedyByCode[code] : undefined;
  if (remedy === undefined) return null;
  const path = 'path' in error && typeof error.path === 'string' ? ` ${error.path}` : '';
  return new StartError(`Can’t ${verbBySyscall[String(syscall)] ?? String(syscall)}${path} (${String(code)}). ${remedy}`);
}
