import { given } from '@admin-panel/qa';

/** A demo's account: `as('editor')`. */
export const as = (name: 'access' | 'admin' | 'analyst' | 'approver' | 'editor' | 'operator' | 'qa') => ({
  email: `${name}@demo.local`,
  password: given('PANEL_PASSWORD'),
});
