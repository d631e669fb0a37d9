import { countText } from '../plural.ts';

export const openapi = {
  title: 'API reference',
  count: ({ n }: { n: number }) => countText(n, 'route'),
  found: ({ n }: { n: number }) => `${countText(n, 'route')} found`,
  search: 'Search by path, name or permission',
  none: 'No matching routes',
  empty: 'Change your search, or press Escape in the search field to clear it.',
  field: { operation: 'Operation', permission: 'Permission' },
  access: {
    public: 'Everyone',
    signedIn: 'Anyone signed in',
    fresh: 'with a recent second factor',
  },
  parameters: 'Parameters',
  body: 'Request body',
  noBody: 'No request body',
  response: 'Response',
  noResponse: 'No response body',
  column: { name: 'Field', required: 'Required', type: 'Type', rules: 'Rules' },
  yes: 'Yes',
  no: 'No',
};
