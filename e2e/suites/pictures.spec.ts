import { readFileSync } from 'node:fs';
import { layoutChanges, type LayoutItem } from '../../scripts/pictures/layout.ts';
import { manualPictures, openPicture } from '../../scripts/pictures/manual-pictures.ts';
import { signInDemo } from '../../scripts/command/signed-in.ts';
import { expect, test } from '../fixtures.ts';

const pictured = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../docs/screenshots/${name}.json`, import.meta.url), 'utf8')) as LayoutItem[];

test.use({ serverEnv: { DEVNET: 'on', DEMO_WALLET: 'on' }, ownContext: true, locale: 'en-US' });

for (const [name, picture] of Object.entries(manualPictures))
  test(`docs/screenshots/${name}.png shows the screen as it is`, async ({ page, server }) => {
    await signInDemo(page, server.url, { 'prefs.theme': picture.look.theme });
    const layout = await openPicture(page, picture);
    expect(layoutChanges(pictured(name), layout), 'run npm run screenshots').toEqual([]);
  });
