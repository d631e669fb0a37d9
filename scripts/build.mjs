// npm run build
import { build, checkNode, ensurePackages, fail } from './setup.mjs';

try {
  checkNode();
  await ensurePackages();
  await build({ show: true });
} catch (error) {
  fail(error);
}
