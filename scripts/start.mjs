// npm start, npm run dev, npm run signer
import { pathToFileURL } from 'node:url';
import { checkNode, ensureBuild, ensurePackages, exitWithError, serverBundle, signerBundle } from './setup.mjs';

try {
  checkNode();
  await ensurePackages();
  stopWithNpm();
  if (process.argv.includes('--dev')) {
    const { register } = await import('tsx/esm/api');
    register();
    await import('./dev.ts');
  } else {
    await ensureBuild(process.argv.includes('--signer') ? ['server'] : undefined);
    process.setSourceMapsEnabled(true);
    // In this process, so that signals reach the server.
    await import(pathToFileURL(process.argv.includes('--signer') ? signerBundle : serverBundle).href);
  }
} catch (error) {
  exitWithError(error);
}

// npm signals an intermediate shell, which dies silently. Our parent then changes.
function stopWithNpm() {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 250);
  timer.unref();
}
