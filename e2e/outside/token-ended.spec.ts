import { setTimeout as sleep } from 'node:timers/promises';
import { test } from '@admin-panel/qa/pageless';

test('the token ends during this test', async ({ admin, make }) => {
  const news = await make.news();
  for (let count = 0; count < 200; count++) {
    await admin.get('news', news.id);
    await sleep(100);
  }
});
