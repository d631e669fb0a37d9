import { expect, test } from 'vitest';
import { createLogger, formatLogLine } from './log.ts';

test('formats a log line with time, level, message and details', () => {
  const lines: string[] = [];
  const log = createLogger({ level: 'warn' }, { write: (line) => void lines.push(formatLogLine(line)) });
  log.child({ process: 'signer' }).warn({ hosts: ['a'] }, 'could not reach the replica');
  log.error('stopped');
  expect(lines.map((line) => line.replace(/^\d\d:\d\d:\d\d /, ''))).toEqual([
    'warn could not reach the replica {"process":"signer","hosts":["a"]}\n',
    'error stopped\n',
  ]);
});
