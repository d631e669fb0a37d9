import { writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { test } from '../fixtures.ts';
import { startBreakingProxy } from '../support/browsers/breaking.ts';
import { startFirefox } from '../support/browsers/firefox.ts';
import { runBrowserTour } from '../support/browsers/trip.ts';
import { startWebKit } from '../support/browsers/webkit.ts';

// One trip through the panel in Debian's two other engines.

for (const [name, start] of [
  ['Firefox', startFirefox],
  ['WebKitGTK', startWebKit],
] as const)
  test(`sign-in, palette, list, form and upload work in ${name}`, { tag: '@long' }, async ({ server }, testInfo) => {
    test.setTimeout(540_000); // 300 s to install a missing browser
    const picture = testInfo.outputPath('picture.png');
    const background = { r: 20, g: 120, b: 220 };
    await writeFile(
      picture,
      await sharp({ create: { width: 320, height: 180, channels: 3, background } })
        .png()
        .toBuffer(),
    );
    const panel = await startBreakingProxy(server.url);
    const browser = await start();
    try {
      await runBrowserTour({ browser, panel, picture, step: test.step });
    } finally {
      await browser.close();
      panel.stop();
    }
  });
