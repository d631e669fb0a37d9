import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

// Preloaded (`node --import`) into a process that is to die: at its DIE_AT-th act upon the world, that is a statement or a commit on
// its way to the database, a request to a chain or to Bitcoin, or a step of a file; before it, or with DIE_HOW=after once it is out
// of the process and no answer was read.

const last = Number(process.env['DIE_AT'] ?? Infinity);
const isAfter = process.env['DIE_HOW'] === 'after';
let acts = 0;

/** @param {object} owner @param {string} name @param {(self: unknown) => boolean} counts */
function mortal(owner, name, counts = () => true) {
  const act = owner[name];
  owner[name] = function (...given) {
    const isLast = counts(this) && ++acts === last;
    if (isLast && !isAfter) process.kill(process.pid, 'SIGKILL');
    const answer = act.apply(this, given);
    if (isLast) process.kill(process.pid, 'SIGKILL');
    return answer;
  };
}

mortal(net.Socket.prototype, 'write', (socket) => socket !== process.stdout && socket !== process.stderr);
for (const name of ['openSync', 'writeFileSync', 'fsyncSync', 'renameSync']) mortal(fs, name);
syncBuiltinESMExports();
