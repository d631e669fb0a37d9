import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, expect, test } from 'vitest';
import { setDictionary } from '../../i18n/i18n.ts';
import { zhPanel } from '../../i18n/zh-CN/index.ts';
import { zhResources } from '../../i18n/zh-CN/resources.ts';
import { Details } from './details.tsx';

beforeAll(() => setDictionary('zh-CN', { ...zhPanel, ...zhResources }));

test('a fact without a value has no line, and zero has one', () => {
  const markup = renderToStaticMarkup(
    <Details
      of={{ 'crsm.field.owner': null, 'crsm.field.price': undefined, 'crsm.field.icr': false, 'crsm.field.troveId': 0 }}
    />,
  );
  expect(markup.match(/<dt/g)).toHaveLength(1);
  expect(markup).toMatch(/<dd[^>]*>0<\/dd>/);
});

test('a contract’s name breaks between its words', () => {
  const markup = renderToStaticMarkup(<Details of={{ 'crsm.field.debtGasCompensation': '1' }} />);
  expect(markup).toContain('（debt<wbr/>Gas<wbr/>Compensation）');
});

test('a copyable fact names what its button copies', () => {
  const markup = renderToStaticMarkup(<Details of={{ 'crsm.field.troveId': { copy: '1', shown: '#1' } }} />);
  expect(markup).toContain('aria-label="复制仓位 ID"');
  expect(markup).toContain('#1');
});
