import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

// Preload with `node --import`. The process dies at its DIE_AT-th side effect: a database statement or commit, an RPC or Bitcoin
// request, or a file operation. DIE_HOW=after: after sending, before the response. DIE_FROM: count from the first that contains
// this text. DIE_BY=SIGSTOP: stop instead of dying.

const last = Number(process.env['DIE_AT'] ?? Infinity);
const isAfter = process.env['DIE_HOW'] === 'after';
const from = process.env['DIE_FROM'] ?? '';
const signal = process.env['DIE_BY'] ?? 'SIGKILL';
let isCounting = from === '';
let effectCount = 0;

/** @param {unknown} bytes */
const contains = (bytes) =>
  ArrayBuffer.isView(bytes)
    ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(from)
    : String(bytes).includes(from);

/** @param {object} owner @param {string} name @param {(self: unknown) => boolean} counts */
function dieAtCall(owner, name, counts = () => true) {
  const act = owner[name];
  owner[name] = function (...provided) {
    isCounting ||= counts(this) && contains(provided[0]);
    const isLast = isCounting && counts(this) && ++effectCount === last;
    if (isLast && !isAfter) process.kill(process.pid, signal);
    const answer = act.apply(this, provided);
    if (isLast && isAfter) process.kill(process.pid, signal);
    return answer;
  };
}

dieAtCall(net.Socket.prototype, 'write', (socket) => socket !== process.stdout && socket !== process.stderr);
for (const name of ['openSync', 'writeFileSync', 'fsyncSync', 'renameSync']) dieAtCall(fs, name);
syncBuiltinESMExports();
