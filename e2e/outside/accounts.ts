import { given } from '@admin-panel/qa';

export const findAccount = (name: 'access' | 'admin' | 'analyst' | 'approver' | 'editor' | 'operator' | 'qa') => ({
  email: `${name}@demo.local`,
  password: given('PANEL_PASSWORD'),
});
