import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FieldGroup } from './field-group.tsx';

test('opening a group at the edge of a dialog scrolls its fields into view', async () => {
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  root.render(
    <div role="group" aria-label="Form" style={{ height: 200, overflow: 'auto' }}>
      <p style={{ height: 160 }}>Other fields</p>
      <FieldGroup label="Networks" filled={false} needsOpen={false}>
        <input style={{ height: 80 }} aria-label="Allowed" />
      </FieldGroup>
    </div>,
  );
  await page.getByRole('button', { name: 'Networks' }).click();
  const edge = page.getByRole('group', { name: 'Form' }).element().getBoundingClientRect().bottom;
  await expect.poll(() => page.getByLabelText('Allowed').element().getBoundingClientRect().bottom).toBeLessThanOrEqual(edge);
  root.unmount();
});
