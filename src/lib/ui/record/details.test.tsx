import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, expect, test } from 'vitest';
import { setDictionary } from '../../i18n/i18n.ts';
import { zhPanel } from '../../i18n/zh-CN/index.ts';
import { zhResources } from '../../i18n/zh-CN/resources.ts';
import { Details } from './details.tsx';

beforeAll(() => setDictionary('zh-CN', { ...zhPanel, ...zhResources }));

test('a fact without a value has no line, and zero has one', () => {
  const shown = renderToStaticMarkup(
    <Details
      of={{ 'crsm.field.owner': null, 'crsm.field.price': undefined, 'crsm.field.icr': false, 'crsm.field.troveId': 0 }}
    />,
  );
  expect(shown.match(/<dt/g)).toHaveLength(1);
  expect(shown).toMatch(/<dd[^>]*>0<\/dd>/);
});

test('a copyable fact names what its button copies', () => {
  const shown = renderToStaticMarkup(<Details of={{ 'crsm.field.troveId': { copy: '1', shown: '#1' } }} />);
  expect(shown).toContain('aria-label="复制仓位 ID"');
  expect(shown).toContain('#1');
});
