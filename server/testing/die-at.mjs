import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

// Preload with `node --import`. The process dies at its DIE_AT-th side effect: a database statement or commit, an RPC or Bitcoin
// request, or a file operation. DIE_HOW=after: after sending, before the response. DIE_FROM: count from the first that contains
// this text. DIE_BY=SIGSTOP: stop instead of dying.

const lastEffect = Number(process.env['DIE_AT'] ?? Infinity);
const isAfter = process.env['DIE_HOW'] === 'after';
const startName = process.env['DIE_FROM'] ?? '';
const signal = process.env['DIE_BY'] ?? 'SIGKILL';
let isCounting = startName === '';
let effectCount = 0;

/** @param {unknown} bytes */
const containsText = (bytes) =>
  ArrayBuffer.isView(bytes)
    ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(startName)
    : String(bytes).includes(startName);

/** @param {object} owner @param {string} name @param {(self: unknown) => boolean} counts */
function dieAtEffect(owner, name, isCounted = () => true) {
  const originalFunction = owner[name];
  owner[name] = function (...callArguments) {
    isCounting ||= isCounted(this) && containsText(callArguments[0]);
    const isLast = isCounting && isCounted(this) && ++effectCount === lastEffect;
    if (isLast && !isAfter) process.kill(process.pid, signal);
    const result = originalFunction.apply(this, callArguments);
    if (isLast && isAfter) process.kill(process.pid, signal);
    return result;
  };
}

dieAtEffect(net.Socket.prototype, 'write', (socket) => socket !== process.stdout && socket !== process.stderr);
for (const name of ['openSync', 'writeFileSync', 'fsyncSync', 'renameSync']) dieAtEffect(fs, name);
syncBuiltinESMExports();
