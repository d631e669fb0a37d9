import type { Admin } from './index.ts';

// Compiled, never run.

export async function checkTypes(admin: Admin): Promise<void> {
  const params = { title: 't', description: 'd', image: 'https://example.com/a.png', link: 'https://example.com' };
  const {
    done: [news],
  } = await admin.run('news.add', { params });
  const title: string = news.title;
  const { done, failed } = await admin.run('news.show', { targets: [news, { id: news.id, version: 1 }, 'id'], confirm: true });
  const codes: string[] = [...done.map(({ id }) => id), ...failed.map(({ code }) => code), title];
  await admin.run('go.news');
  const rows = await admin.read('news', { filter: { shown: 'true' }, sort: 'time', limit: codes.length });
  const image: string | null | undefined = (await admin.get('news', rows[0]?.id ?? ''))?.image;
  await admin.runAny('news.ad', { params: { titel: image } });

  // @ts-expect-error there is no such command
  await admin.run('news.ad');
  // @ts-expect-error nor such a parameter
  await admin.run('news.add', { params: { ...params, titel: 'x' } });
  // @ts-expect-error a title is text
  await admin.run('news.add', { params: { ...params, title: 1 } });
  // @ts-expect-error a link must be given
  await admin.run('news.add', { params: { title: 't', description: 'd', image: 'i' } });
  // @ts-expect-error and so must the parameters
  await admin.run('news.add');
  // @ts-expect-error it aims at nothing
  await admin.run('news.add', { params, targets: ['id'] });
  // @ts-expect-error one of the platforms
  await admin.run('notices.add', { params: { content: 'c', link: 'l', platform: 'fridge' } });
  // @ts-expect-error a version is a number
  await admin.run('news.edit', { targets: [{ id: 'id', version: '3' }], params: { title: 't' } });
  // @ts-expect-error a news item has no headline
  void news.headline;
  // @ts-expect-error news have no color
  await admin.read('news', { filter: { colour: 'red' } });
  // @ts-expect-error nor sorted by it
  await admin.read('news', { sort: 'colour' });
}
