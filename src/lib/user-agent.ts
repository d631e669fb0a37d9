const browsers = [
  ['Edge', /\bEdg(?:e|A|iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:HeadlessChrome|Chrome|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)[\d.]* (?:Mobile\/\w+ )?Safari\//],
] as const;

const systems = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows NT\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const;

/** "Chrome 141 · Linux". Unverified. */
export function browserOf(userAgent: string): string {
  const [browser, version] = browsers.flatMap(([name, pattern]) => {
    const found = pattern.exec(userAgent);
    return found ? [[name, found[1]] as const] : [];
  })[0] ?? [null, undefined];
  const system = systems.find(([, pattern]) => pattern.test(userAgent))?.[0];
  const parts = [browser && `${browser} ${version ?? ''}`.trim(), system].filter(Boolean);
  return parts.length > 0 ? parts.join(' · ') : userAgent.slice(0, 60) || '—';
}
