import { machineOf } from '../../api/cli/user-agent.ts';

const browserPatterns = [
  ['Edge', /\bEdg(?:e|A|iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:HeadlessChrome|Chrome|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)[\d.]* (?:Mobile\/\w+ )?Safari\//],
] as const;

const systemPatterns = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows NT\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const;

/** "Chrome 141 · Linux" or "CLI · build-01". Unverified. */
export function describeBrowser(userAgent: string): string {
  const machine = machineOf(userAgent);
  if (machine !== null) return `CLI · ${machine}`;
  const [browser, version] = browserPatterns.flatMap(([name, pattern]) => {
    const match = pattern.exec(userAgent);
    return match ? [[name, match[1]] as const] : [];
  })[0] ?? [null, undefined];
  const systemName = systemPatterns.find(([, pattern]) => pattern.test(userAgent))?.[0];
  const nameParts = [browser && `${browser} ${version ?? ''}`.trim(), systemName].filter(Boolean);
  return nameParts.length > 0 ? nameParts.join(' · ') : userAgent.slice(0, 60) || '—';
}
