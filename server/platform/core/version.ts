import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const packageFile = fileURLToPath(new URL('../../../package.json', import.meta.url));

export const version = (JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }).version;

export function compareVersions(a: string, b: string): number {
  const [leftParts, rightParts] = [a, b].map((text) => text.split('.').map(Number));
  for (const index of [0, 1, 2]) {
    const difference = (leftParts?.[index] ?? 0) - (rightParts?.[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
