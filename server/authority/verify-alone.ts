import { verifyLog } from './verify-log.ts';

// The verifier as one file that needs nothing but Node (vite.server.config.ts): node authority-verify.mjs --file log.jsonl --genesis HASH

process.exitCode = await verifyLog(process.argv.slice(2), { command: 'node authority-verify.mjs', fromDatabase: null });
